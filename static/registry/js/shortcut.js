// "/" focuses the search field. WCAG 2.1.4 requires that single-key shortcuts can be disabled.
const KEY = "shortcut-off";
const checkbox = document.getElementById("shortcut");
checkbox.checked = storedValue() === null;
checkbox.addEventListener("change", () => {
  try {
    if (checkbox.checked) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, "");
    }
  } catch {
    // Storage is disabled: the choice applies to this page only.
  }
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  const search = document.getElementById("search");
  if (event.key === "/" && checkbox.checked && !isTyping && !hasModifier && search) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});

function storedValue() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is disabled
  }
}
