// "/" goes to the search field. WCAG 2.1.4 asks that a key on its own can be switched off.
const KEY = "shortcut-off";
const box = document.getElementById("shortcut");
box.checked = localStorage.getItem(KEY) === null;
box.addEventListener("change", () => {
  if (box.checked) {
    localStorage.removeItem(KEY);
  } else {
    localStorage.setItem(KEY, "");
  }
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  const chord = event.ctrlKey || event.metaKey || event.altKey;
  const search = document.getElementById("search");
  if (event.key === "/" && box.checked && !typing && !chord && search) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});
