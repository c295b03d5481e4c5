// The registry's check, whenever typing stops: only the last question counts.
import { setDiagnostics } from "@codemirror/lint";
import { ViewPlugin } from "@codemirror/view";
import { syntaxFault } from "./syntax.js";
import { diagnostics, located, sentence } from "./verdict.js";

const PAUSE = 600; // milliseconds
const BUSY = new Set([429, 503]);

/**
 * Check against this address as the next version of the tag in this field. `say` puts a sentence
 * below the editor, `hear` takes what a valid body resolves to.
 */
export function checking(asked) {
  return ViewPlugin.define((view) => new Checking(view, asked));
}

class Checking {
  constructor(view, asked) {
    Object.assign(this, asked, { view, asking: new AbortController() });
    this.again = () => this.soon();
    this.tag?.addEventListener("input", this.again);
    this.soon();
  }

  update(update) {
    if (update.docChanged) {
      this.soon();
    }
  }

  destroy() {
    this.stop();
    this.tag?.removeEventListener("input", this.again);
  }

  stop() {
    clearTimeout(this.waiting);
    this.asking.abort();
  }

  soon(wait = PAUSE) {
    this.stop();
    this.waiting = setTimeout(() => this.check(), wait);
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
      this.show([], "JSON as it should be. Name the tag, and the body is checked.");
    } else {
      await this.ask();
    }
  }

  async ask() {
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        // The text as it is: numbers and names that stand twice would not survive being read.
        body: `{"tag": ${JSON.stringify(this.tag.value.trim())}, "target": ${this.view.state.doc}}`,
        signal,
      });
      if (BUSY.has(response.status)) {
        this.soon(1000 * (Number(response.headers.get("Retry-After")) || 1));
        return;
      }
      this.tell(await response.json());
    } catch (error) {
      if (!signal.aborted) {
        this.say("Not checked: the registry did not answer.");
      }
    }
  }

  /** A verdict, or the problem of a request that could not be read. */
  tell(verdict) {
    if (!("valid" in verdict)) {
      this.show([], `Not checked: ${verdict.detail}`);
      return;
    }
    const { state } = this.view;
    if (verdict.valid) {
      this.hear(verdict.target);
    }
    const marks = diagnostics(state, verdict);
    this.show(marks, sentence(state, verdict, marks));
  }

  show(marks, said) {
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    this.say(said);
  }
}
