// Suggests tags in each <input data-suggest="URL">, as ARIA's combobox pattern describes.
import "@github/auto-complete-element";

for (const [index, input] of document.querySelectorAll("input[data-suggest]").entries()) {
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
