// Loads the JSON editor, which is larger than a page should be, on demand; the choice is remembered.
// Without the editor, the textarea works by itself.
(() => {
  const source = document.currentScript.dataset.editor;
  const fields = document.querySelectorAll("textarea[data-editor]");
  const KEY = "editor";

  const remembers = () => {
    try {
      return localStorage.getItem(KEY) === "open";
    } catch {
      return false; // storage is disabled
    }
  };

  const open = () => {
    const script = document.createElement("script");
    script.src = source;
    document.head.append(script);
    return script;
  };

  if (fields.length && remembers()) {
    open();
    return;
  }
  for (const field of fields) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Open the editor";
    button.title = "With completion and validation as you type; loads about 130 KB once";
    button.addEventListener("click", () => {
      try {
        localStorage.setItem(KEY, "open");
      } catch {
        // Then the choice is not remembered.
      }
      button.disabled = true;
      open().addEventListener("load", () => {
        button.remove();
        document.querySelector(".cm-content")?.focus();
      });
    });
    field.before(button);
  }
})();
