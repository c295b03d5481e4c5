// A copy button beside each command. It shows "Copied" only after the copy succeeded.
for (const command of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${command.dataset.copy}`);
  const report = document.createElement("span");
  report.className = "visually-hidden";
  report.setAttribute("role", "status");
  let later;
  button.addEventListener("click", async () => {
    const done = await copyText(command);
    button.textContent = report.textContent = done ? "Copied" : "Press Ctrl+C";
    clearTimeout(later);
    later = setTimeout(() => {
      button.textContent = "Copy";
      report.textContent = "";
    }, 3000);
  });
  command.after(button, report);
}

async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // The clipboard API needs HTTPS and permission: otherwise select the text and use execCommand.
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}
