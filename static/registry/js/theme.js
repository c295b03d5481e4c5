// The theme follows the system unless a reader has chosen one. A cookie stores the choice, so that the
// server can render it and nothing flashes.
const choice = document.getElementById("theme");
choice.value = document.documentElement.dataset.theme ?? "";
choice.addEventListener("change", () => {
  const age = choice.value ? 365 * 24 * 3600 : 0;
  document.cookie = `theme=${choice.value}; path=/; max-age=${age}; samesite=lax`;
  if (choice.value) {
    document.documentElement.dataset.theme = choice.value;
  } else {
    delete document.documentElement.dataset.theme;
  }
});
document.getElementById("preferences").hidden = false;
