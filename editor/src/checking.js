// Validates the text with the registry's check whenever typing stops. Only the last request counts.
import { setDiagnostics } from "@codemirror/lint";
import { ViewPlugin } from "@codemirror/view";
import { syntaxFault } from "./syntax.js";
import { diagnostics, located, sentence } from "./verdict.js";

const PAUSE = 600; // milliseconds
const BUSY = new Set([429, 503]);

/**
 * Check the text at `url` as the next version of the tag in the field `tag`. `report` shows a message
 * below the editor; `setTarget` receives the target that a valid body resolves to.
 */
export function checking(options) {
  return ViewPlugin.define((view) => new Checking(view, options));
}

class Checking {
  constructor(view, options) {
    Object.assign(this, options, { view, request: new AbortController() });
    this.onInput = () => this.schedule();
    this.tag?.addEventListener("input", this.onInput);
    this.schedule();
  }

  update(update) {
    if (update.docChanged) {
      this.schedule();
    }
  }

  destroy() {
    this.stop();
    this.tag?.removeEventListener("input", this.onInput);
  }

  stop() {
    clearTimeout(this.timeout);
    this.request.abort();
  }

  schedule(delay = PAUSE) {
    this.stop();
    this.timeout = setTimeout(() => this.check(), delay);
  }

  async check() {
    const { state } = this.view;
    const fault = state.doc.toString().trim() ? syntaxFault(state) : null;
    if (fault) {
      const mark = { severity: "error", ...fault };
      this.show([mark], `Not JSON: ${located(state, mark)}`);
    } else if (!state.doc.toString().trim()) {
      this.show([], "");
    } else if (!this.tag?.value.trim()) {
      this.show([], "Valid JSON. Enter a tag to check the body.");
    } else {
      await this.send();
    }
  }

  async send() {
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        // The text as typed: parsing would lose duplicate names and the form of numbers.
        body: `{"tag": ${JSON.stringify(this.tag.value.trim())}, "target": ${this.view.state.doc}}`,
        signal,
      });
      if (BUSY.has(response.status)) {
        this.schedule(1000 * (Number(response.headers.get("Retry-After")) || 1));
        return;
      }
      this.showResult(await response.json());
    } catch (error) {
      if (!signal.aborted) {
        this.report("Not checked: no response from the registry.");
      }
    }
  }

  /** Show the result of a check, or the problem of an invalid request. */
  showResult(verdict) {
    if (!("valid" in verdict)) {
      this.show([], `Not checked: ${verdict.detail}`);
      return;
    }
    const { state } = this.view;
    if (verdict.valid) {
      this.setTarget(verdict.target);
    }
    const marks = diagnostics(state, verdict);
    this.show(marks, sentence(state, verdict, marks));
  }

  show(marks, message) {
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    this.report(message);
  }
}
