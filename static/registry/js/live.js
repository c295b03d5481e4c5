// The list follows as one types. One request for each pause, and only the last one counts; the
// address stays that of what is shown. The list is the one that the server writes into the page.
const PAUSE = 250; // milliseconds
const form = document.querySelector("form[data-live]");
const field = form.elements.q;
const announced = document.getElementById("announced");
let pause;
let asking = new AbortController();

field.addEventListener("input", (event) => {
  clearTimeout(pause);
  asking.abort();
  if (!event.isComposing) {
    pause = setTimeout(follow, PAUSE);
  }
});

async function follow() {
  asking = new AbortController();
  const filled = [...new FormData(form)].filter(([, value]) => value.trim());
  const query = new URLSearchParams(filled).toString();
  const url = query ? `${form.action}?${query}` : form.action;
  const results = document.getElementById("results");
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { signal: asking.signal });
    show(new DOMParser().parseFromString(await response.text(), "text/html"));
    history.replaceState(null, "", url);
  } catch (error) {
    if (error.name !== "AbortError") {
      announced.textContent = "The list did not arrive; Enter asks again.";
    }
  } finally {
    results.removeAttribute("aria-busy");
  }
}

function show(answer) {
  const results = answer.getElementById("results");
  const heading = answer.getElementById("list").textContent; // throws where the answer has no list
  document.getElementById("results").replaceWith(results);
  for (const part of document.querySelectorAll("[data-opening]")) {
    part.hidden = !answer.getElementById(part.id);
  }
  document.title = answer.title;
  announced.textContent = heading;
}
