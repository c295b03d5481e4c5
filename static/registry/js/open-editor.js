// Loads the JSON editor on demand, because of its size, and remembers the choice.
// The textarea also works without the editor.
(() => {
  const source = document.currentScript.dataset.editor;
  const fields = document.querySelectorAll("textarea[data-editor]");
  const KEY = "editor";

  const isRemembered = () => {
    try {
      return localStorage.getItem(KEY) === "open";
    } catch {
      return false; // storage is disabled
    }
  };

  const loadEditor = () => {
    const script = document.createElement("script");
    script.src = source;
    document.head.append(script);
    return script;
  };

  if (fields.length && isRemembered()) {
    loadEditor();
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
        // Storage is disabled: the choice is not remembered.
      }
      button.disabled = true;
      loadEditor().addEventListener("load", () => {
        button.remove();
        document.querySelector(".cm-content")?.focus();
      });
    });
    field.before(button);
  }
})();
