// Keeps what is typed into a form in this browser until it is sent, for a tab that was closed.
// Back and reload need no script: the browser itself restores the fields.
(() => {
  const LIFETIME = 14 * 24 * 3600 * 1000; // milliseconds
  const PAUSE = 300; // milliseconds without typing
  const UNKEPT = new Set(["csrfmiddlewaretoken", "do", "previewed", "saves", "key"]);
  const SENDING = new Set(["continue", "submit", "publish", "delete"]);
  const form = document.querySelector("form[data-keep]");
  const prefix = `kept:${form.dataset.keep}:`;
  let own = prefix;
  let timer;

  const typedFields = () =>
    [...new FormData(form)].filter(([name, value]) => value && !UNKEPT.has(name));

  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      localStorage.setItem(own, JSON.stringify({ at: Date.now(), fields: typedFields() }));
    } catch {
      // Storage is full or disabled: nothing is kept.
    }
  };

  const kept = () => {
    const entries = [];
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith("kept:"))) {
      const entry = { key, ...JSON.parse(localStorage.getItem(key)) };
      if (Date.now() - entry.at > LIFETIME) {
        localStorage.removeItem(key);
      } else if (key.startsWith(prefix)) {
        entries.push(entry);
      }
    }
    return entries.sort((one, other) => other.at - one.at);
  };

  // Fills in the same form again after a reload; returns whether it has all the fields.
  const refill = (entry) => {
    if (!entry.fields.every(([name]) => form.elements[name])) {
      return false;
    }
    for (const [name, value] of entry.fields) {
      form.elements[name].value = value;
    }
    return true;
  };

  const button = (text, action) => {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = text;
    element.addEventListener("click", action);
    return element;
  };

  const restore = (entry) => {
    const copy = document.createElement("form");
    copy.method = "post";
    copy.action = form.action;
    const token = form.elements.csrfmiddlewaretoken.value;
    for (const [name, value] of [
      ...entry.fields,
      ["csrfmiddlewaretoken", token],
      ["do", "restore"],
    ]) {
      const field = document.createElement("textarea");
      field.name = name;
      field.value = value;
      copy.append(field);
    }
    copy.hidden = true;
    document.body.append(copy);
    localStorage.removeItem(entry.key);
    copy.submit();
  };

  const offer = (entry) => {
    const notice = document.createElement("div");
    notice.className = "notice submit-notice";
    notice.setAttribute("role", "status");
    const text = document.createElement("p");
    const time = new Date(entry.at).toLocaleString("en-GB", {
      dateStyle: "medium",
      timeStyle: "short",
    });
    text.textContent = `This browser has kept what you typed here on ${time}.`;
    const buttons = document.createElement("p");
    buttons.className = "button-row";
    buttons.append(
      button("Continue with it", () => restore(entry)),
      button("Discard it", () => {
        localStorage.removeItem(entry.key);
        notice.remove();
      }),
    );
    notice.append(text, buttons);
    form.before(notice);
  };

  const begin = () => {
    sessionStorage.tab ??= `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
    own = prefix + sessionStorage.tab;
    const typed = JSON.stringify(typedFields());
    const entry = kept().find(({ fields }) => JSON.stringify(fields) !== typed);
    const [navigation] = performance.getEntriesByType("navigation");
    if ("typed" in form.dataset) {
      keep();
    } else if (entry && !(entry.key === own && navigation.type === "reload" && refill(entry))) {
      offer(entry);
    }
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE);
    });
    addEventListener("pagehide", () => timer && keep());
    form.addEventListener("submit", (event) => {
      clearTimeout(timer);
      timer = undefined;
      if (SENDING.has(event.submitter?.value)) {
        localStorage.removeItem(own);
      } else {
        keep();
      }
    });
  };

  addEventListener("pageshow", () => {
    try {
      begin();
    } catch {
      // Storage is disabled: nothing is kept.
    }
  }, { once: true });
})();
