"use strict";
// What every page needs: messages of what went wrong, files put into text fields, keys that press buttons.

document.addEventListener("htmx:responseError", (event) => {
  const xhr = event.detail.xhr;
  tell(xhr.responseText || `${xhr.status} ${xhr.statusText}`);
});
document.addEventListener("htmx:sendError", () => tell(document.documentElement.lang === "ja"
  ? "サーバーに届きません。終了していませんか。" : "The server cannot be reached: has it ended?"));
document.addEventListener("htmx:beforeRequest", () => tell(""));

function tell(text) {
  const place = document.getElementById("message");
  if (place) place.textContent = text;
}

// Events that come again after a break (the server was started anew, the tab slept): what was missed is fetched.
let wasOpen = false;
document.addEventListener("htmx:sseOpen", () => {
  if (wasOpen) {
    if (location.pathname.startsWith("/go/")) fetchTable();
    else if (!document.activeElement?.matches("input, textarea, select")) location.reload();
  }
  wasOpen = true;
});

// <button data-key="ArrowLeft"> is pressed by that key, unless somebody writes or works on a board.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [data-columns]")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
});

// <input type="file" data-into="#text">: the file's text goes into that field.
document.addEventListener("change", async (event) => {
  const target = event.target.closest("input[type=file][data-into]");
  if (!target || !target.files.length) return;
  document.querySelector(target.dataset.into).value = await target.files[0].text();
});

// <button data-copy="#text">: its text goes into the clipboard.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent);
});
