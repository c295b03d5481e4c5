// Suggests tags in each <input data-suggest="URL">, as ARIA's combobox pattern describes, and for a
// line in a <textarea data-suggest="URL">, where Enter sends a line and a longer text is left alone.
import "@github/auto-complete-element";

const NOT_ALLOWED = ["role", "aria-expanded"]; // of a textarea, which ARIA lets be a textbox only

for (const [index, input] of document.querySelectorAll("[data-suggest]").entries()) {
  const list = document.createElement("div");
  list.id = `suggestions-${index}`;
  list.className = "suggested-tags";
  list.setAttribute("aria-label", "Suggestions");
  const feedback = document.createElement("div"); // says how many there are
  feedback.id = `${list.id}-feedback`;
  feedback.className = "visually-hidden";
  const combobox = document.createElement("auto-complete");
  combobox.setAttribute("src", input.dataset.suggest);
  combobox.setAttribute("for", list.id);
  if (input instanceof HTMLTextAreaElement) {
    suggestForLine(combobox, input);
  }
  const hadFocus = document.activeElement === input;
  input.before(combobox);
  combobox.append(input, list, feedback);
  combobox.addEventListener("auto-complete-change", () => {
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  if (hadFocus) {
    input.focus();
  }
}

function suggestForLine(combobox, area) {
  const setAttribute = area.setAttribute.bind(area);
  area.setAttribute = (name, value) => NOT_ALLOWED.includes(name) || setAttribute(name, value);
  const isLine = () => !area.value.includes("\n") && area.value.length <= 200;
  const fetchResult = combobox.fetchResult.bind(combobox);
  combobox.inputElement = area;
  combobox.fetchResult = (url) => (isLine() ? fetchResult(url) : Promise.resolve(""));
  area.addEventListener("keydown", (event) => {
    const isChoosing = area.getAttribute("aria-activedescendant");
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && !isChoosing && isLine()) {
      event.preventDefault();
      area.form.requestSubmit();
    }
  });
}
