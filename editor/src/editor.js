// A JSON editor in place of each <textarea data-editor>; without it the textarea works by itself.
import "./styles.js";
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { forEachDiagnostic, lintGutter, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { closeHoverTooltips, EditorView, hasHoverTooltips, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { checking } from "./checking.js";
import { completing } from "./completing.js";
import { json } from "./json.js";
import { placeOf } from "./tree.js";
import { located } from "./verdict.js";

for (const field of document.querySelectorAll("textarea[data-editor]")) {
  enhance(field);
}

function enhance(field) {
  const status = document.createElement("p");
  status.className = "editor-status";
  status.setAttribute("role", "status");
  const view = new EditorView({ doc: field.value, extensions: extensions(field, status) });
  field.after(view.dom, status);
  field.hidden = true;
  field.required = false; // a field that is not shown cannot say that it is missing; the server does
  follow(field, view);
  lead(field, view);
}

function extensions(field, status) {
  const say = (text) => {
    if (status.textContent !== text) {
      status.textContent = text;
    }
  };
  let target = null;
  const hear = (resolved) => (target = resolved);
  const { check: url, schema, tags, tag } = field.dataset;
  return [
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    history(),
    json,
    syntaxHighlighting(classHighlighter),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(field.readOnly),
    EditorView.contentAttributes.of(described(field)),
    EditorView.updateListener.of((update) => update.docChanged && write(field, update.state)),
    keymap.of([
      { key: "F8", run: through(nextDiagnostic, say), shift: through(previousDiagnostic, say) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...foldKeymap,
      ...historyKeymap,
      { key: "Escape", run: dismissed },
      ...defaultKeymap, // has no Tab: it leaves the editor
    ]),
    schema ? completing({ schema, tags, resolved: () => target }) : [],
    url ? checking({ url, tag: tag && document.querySelector(tag), say, hear }) : [],
  ];
}

/** What names and describes the textarea names and describes the editor. */
function described(field) {
  const attributes = { spellcheck: "false", autocapitalize: "none" };
  for (const name of ["aria-label", "aria-labelledby", "aria-describedby", "aria-invalid"]) {
    if (field.hasAttribute(name)) {
      attributes[name] = field.getAttribute(name);
    }
  }
  const labels = [...field.labels];
  labels.forEach((label, index) => (label.id ||= `${field.id}-label-${index}`));
  if (labels.length && !attributes["aria-label"]) {
    attributes["aria-labelledby"] ??= labels.map((label) => label.id).join(" ");
  }
  if (field.required) {
    attributes["aria-required"] = "true";
  }
  return attributes;
}

function write(field, state) {
  field.value = state.doc.toString();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Take over what is put into the textarea by others: its form, the browser's history. */
function follow(field, view) {
  const take = () => {
    if (field.value !== view.state.doc.toString()) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
    }
  };
  field.addEventListener("change", take);
  window.addEventListener("pageshow", take);
  field.form?.addEventListener("reset", () => setTimeout(take)); // once the form has reset it
}

/** A label or a link that leads to the textarea leads to the editor; with data-pointer, to a place. */
function lead(field, view) {
  for (const label of field.labels) {
    label.addEventListener("click", () => view.focus());
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(`a[href="#${CSS.escape(field.id)}"]`);
    if (link) {
      event.preventDefault();
      const { key, value } = placeOf(view.state, link.dataset.pointer ?? "");
      const place = "pointer" in link.dataset && (key ?? value);
      view.dispatch(place ? { selection: { anchor: place.from }, scrollIntoView: true } : {});
      view.dom.scrollIntoView({ block: "nearest" });
      view.focus();
    }
  });
}

/** Go to another mark, and say what it says: a tooltip alone is not read out. */
function through(go, say) {
  return (view) => {
    go(view);
    const { from, to } = view.state.selection.main;
    forEachDiagnostic(view.state, (mark, start, end) => {
      if (start === from && end === to) {
        say(`${mark.severity === "error" ? "Error" : "Warning"}, ${located(view.state, { ...mark, from })}`);
      }
    });
    return true;
  };
}

/** What a mark says can be put away without moving, as a completion can. */
function dismissed(view) {
  const isShown = hasHoverTooltips(view.state);
  if (isShown) {
    view.dispatch({ effects: closeHoverTooltips });
  }
  return isShown;
}
