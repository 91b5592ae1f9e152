// What every page needs: keys that press buttons, files put into text fields, texts that are copied.
import { closestTo, isHit, partOf } from "./dom";
import { tell } from "./messages";
import { revealPane } from "./panes";
import { fetchTable } from "./table";

// Events that come again after a break (the server was started anew, the tab slept): what was missed is fetched.
document.addEventListener("live:again", () => {
  if (location.pathname.startsWith("/go/")) fetchTable();
  else if (!document.activeElement?.matches("input, textarea, select")) location.reload();
});

// Where the rooms do not fit beside each other, the one that is open is in sight.
addEventListener("DOMContentLoaded", () => {
  const nav = document.querySelector<HTMLElement>(".top nav"), link = nav?.querySelector<HTMLElement>("a[aria-current]");
  if (nav && link && nav.scrollWidth > nav.clientWidth) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
});

// <button data-key="ArrowLeft"> is pressed by that key, unless somebody writes, or moves the cursor of a board.
const WRITING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [data-columns]:not([data-steps])";
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isHit(event.target, WRITING)) return;
  const button = document.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(event.key)}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  revealPane(button);
  button.click();
});

// <input type="file" data-into="#text">: the file's text goes into that field; of several files one behind the other. So does what is dropped on a
// page with <textarea data-drops>.
const textOfFiles = async (files: FileList) => (await Promise.all([...files].map((file) => file.text()))).join("\n\n---\n\n");
const DROPS = "textarea[data-drops]";
function dropField(event: DragEvent): HTMLTextAreaElement | null {
  const drops = document.querySelector<HTMLTextAreaElement>(DROPS);
  if (!drops || !event.dataTransfer?.types.includes("Files")) return null;
  return closestTo<HTMLTextAreaElement>(event.target, "textarea") ?? drops;
}
document.addEventListener("dragover", (event) => { if (dropField(event)) event.preventDefault(); });
document.addEventListener("drop", async (event) => {
  const field = dropField(event), files = event.dataTransfer?.files;
  if (!field || !files) return;
  event.preventDefault();
  field.value = await textOfFiles(files);
});
document.addEventListener("change", async (event) => {
  const input = closestTo<HTMLInputElement>(event.target, "input[type=file][data-into]");
  if (!input?.files?.length) return;
  partOf<HTMLTextAreaElement>(document, input.dataset.into ?? "").value = await textOfFiles(input.files);
});

// Browsers give the clipboard to encrypted pages and to those of this machine. A phone has neither: there a text that is selected is copied.
function copySelected(text: string): boolean {
  const field = document.createElement("textarea"), { activeElement } = document;
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  return isCopied;
}
async function copyText(text: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  return clipboard ? clipboard.writeText(text).then(() => true, () => copySelected(text)) : copySelected(text);
}

// <button data-copy="#text">: its text goes into the clipboard, which is said.
document.addEventListener("click", async (event) => {
  const button = closestTo(event.target, "[data-copy]");
  if (!button) return;
  const source = partOf<HTMLElement | HTMLTextAreaElement>(document, button.dataset.copy ?? "");
  if (await copyText("value" in source ? source.value : source.textContent)) tell(document.body.dataset.copied ?? "");
});
