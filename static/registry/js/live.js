// Updates the list while people type: one request per pause, of which only the last one counts. The
// list comes from the server's page, and the address bar follows it.
const PAUSE = 250; // milliseconds
const form = document.querySelector("form[data-live]");
const field = form.elements.q;
const announced = document.getElementById("announced");
let pause;
let request = new AbortController();

field.addEventListener("input", (event) => {
  clearTimeout(pause);
  request.abort();
  if (!event.isComposing) {
    pause = setTimeout(refresh, PAUSE);
  }
});

async function refresh() {
  request = new AbortController();
  const filled = [...new FormData(form)].filter(([, value]) => value.trim());
  const query = new URLSearchParams(filled).toString();
  const url = query ? `${form.action}?${query}` : form.action;
  const results = document.getElementById("results");
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { signal: request.signal });
    show(new DOMParser().parseFromString(await response.text(), "text/html"));
    history.replaceState(null, "", url);
  } catch (error) {
    if (error.name !== "AbortError") {
      announced.textContent = "The list could not be loaded; press Enter to try again.";
    }
  } finally {
    results.removeAttribute("aria-busy");
  }
}

function show(page) {
  const results = page.getElementById("results");
  const heading = page.getElementById("list").textContent; // throws if the page has no list
  document.getElementById("results").replaceWith(results);
  for (const part of document.querySelectorAll("[data-opening]")) {
    part.hidden = !page.getElementById(part.id);
  }
  document.title = page.title;
  announced.textContent = heading;
}
