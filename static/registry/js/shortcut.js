// "/" focuses the search field. WCAG 2.1.4 requires that single-key shortcuts can be disabled.
const KEY = "shortcut-off";
const box = document.getElementById("shortcut");
box.checked = remembered() === null;
box.addEventListener("change", () => {
  try {
    if (box.checked) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, "");
    }
  } catch {
    // Then the choice applies to this page only.
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

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is disabled
  }
}
