// The theme follows the system unless the user chose one. A cookie stores the choice, so that the
// server can render it without a flash.
const select = document.getElementById("theme");
select.value = document.documentElement.dataset.theme ?? "";
select.addEventListener("change", () => {
  const maxAge = select.value ? 365 * 24 * 3600 : 0;
  document.cookie = `theme=${select.value}; path=/; max-age=${maxAge}; samesite=lax`;
  if (select.value) {
    document.documentElement.dataset.theme = select.value;
  } else {
    delete document.documentElement.dataset.theme;
  }
});
document.getElementById("preferences").hidden = false;
