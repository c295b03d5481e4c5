// The JSON editor weighs more than a page should: it is loaded when somebody asks for it, and from
// then on by itself. Without it the textarea is what it is.
(() => {
  const source = document.currentScript.dataset.editor;
  const fields = document.querySelectorAll("textarea[data-editor]");
  const KEY = "editor";

  const remembers = () => {
    try {
      return localStorage.getItem(KEY) === "open";
    } catch {
      return false; // storage is switched off
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
    button.title = "With completions and checks as you type; some 130 KB, once";
    button.addEventListener("click", () => {
      try {
        localStorage.setItem(KEY, "open");
      } catch {
        // it is asked for again next time
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
