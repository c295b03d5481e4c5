// Updates the list during typing. One request is sent per pause; a new one aborts the previous one.
// The list is taken from the server-rendered page, and the URL in the address bar is updated.
const PAUSE = 250; // milliseconds
const form = document.querySelector("form[data-live]");
const field = form.elements.q;
const searchStatus = document.getElementById("search-status");
let timer;
let request = new AbortController();

field.addEventListener("input", (event) => {
  clearTimeout(timer);
  request.abort();
  if (!event.isComposing) {
    timer = setTimeout(refresh, PAUSE);
  }
});

async function refresh() {
  request = new AbortController();
  const fields = [...new FormData(form)].filter(([, value]) => value.trim());
  const query = new URLSearchParams(fields).toString();
  const url = query ? `${form.action}?${query}` : form.dataset.live;
  const results = document.getElementById("results");
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { signal: request.signal });
    show(new DOMParser().parseFromString(await response.text(), "text/html"));
    history.replaceState(null, "", url);
  } catch (error) {
    if (error.name !== "AbortError") {
      searchStatus.textContent = "The list could not be loaded; press Enter to try again.";
    }
  } finally {
    results.removeAttribute("aria-busy");
  }
}

function show(page) {
  const results = page.getElementById("results");
  const heading = page.getElementById("list").textContent; // throws if the page has no list
  document.getElementById("results").replaceWith(results);
  document.title = page.title;
  searchStatus.textContent = heading;
}
