// Replaces each <textarea data-editor> by a JSON editor. Without it, the textarea works by itself.
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
  field.required = false; // hidden fields cannot report that they are missing; the server does
  syncFrom(field, view);
  redirectFocus(field, view);
}

function extensions(field, status) {
  const report = (text) => {
    if (status.textContent !== text) {
      status.textContent = text;
    }
  };
  let target = null;
  const setTarget = (resolved) => (target = resolved);
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
    EditorView.contentAttributes.of(accessibleAttributes(field)),
    EditorView.updateListener.of((update) => update.docChanged && write(field, update.state)),
    keymap.of([
      { key: "F8", run: announcing(nextDiagnostic, report), shift: announcing(previousDiagnostic, report) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...foldKeymap,
      ...historyKeymap,
      { key: "Escape", run: dismissTooltip },
      ...defaultKeymap, // without Tab, which leaves the editor
    ]),
    schema ? completing({ schema, tags, resolved: () => target }) : [],
    url ? checking({ url, tag: tag && document.querySelector(tag), report, setTarget }) : [],
  ];
}

/** Label and description of the textarea, for the editor. */
function accessibleAttributes(field) {
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

/** Update the editor when a script, the form or the browser's history changes the textarea. */
function syncFrom(field, view) {
  const sync = () => {
    if (field.value !== view.state.doc.toString()) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
    }
  };
  field.addEventListener("change", sync);
  window.addEventListener("pageshow", sync);
  field.form?.addEventListener("reset", () => setTimeout(sync)); // after the form has reset it
}

/** Make labels and links of the textarea focus the editor; with data-pointer, at that place. */
function redirectFocus(field, view) {
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

/** Go to another mark and report its message, because screen readers do not read the tooltip. */
function announcing(go, report) {
  return (view) => {
    go(view);
    const { from, to } = view.state.selection.main;
    forEachDiagnostic(view.state, (mark, start, end) => {
      if (start === from && end === to) {
        report(`${mark.severity === "error" ? "Error" : "Warning"}, ${located(view.state, { ...mark, from })}`);
      }
    });
    return true;
  };
}

/** Close the tooltip of a mark without moving the cursor. */
function dismissTooltip(view) {
  const isShown = hasHoverTooltips(view.state);
  if (isShown) {
    view.dispatch({ effects: closeHoverTooltips });
  }
  return isShown;
}
