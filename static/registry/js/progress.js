// Submits "Continue" automatically, after a pause to read or stop.
const PAUSE = 700; // milliseconds
const form = document.querySelector("form[data-continue]");
const [go, stop] = form.querySelectorAll("button");
const pressing = setTimeout(() => form.requestSubmit(go), PAUSE);

stop.addEventListener("click", () => clearTimeout(pressing));
stop.addEventListener("focus", () => clearTimeout(pressing));
