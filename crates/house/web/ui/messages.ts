// What went wrong, said beside what was clicked, or what has the focus.
import "./htmx";

export function tell(text: string): void {
  const place = document.getElementById("message");
  if (place) place.textContent = text;
}

/** What is said where no answer comes. */
export function tellUnreachable(): void {
  tell(document.body.dataset.unreachable ?? "");
}

document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  tell(xhr.responseText || `${xhr.status} ${xhr.statusText}`);
});
document.addEventListener("htmx:sendError", tellUnreachable);
document.addEventListener("htmx:beforeRequest", () => tell(""));

let lastSpot: [number, number] | null = null;
addEventListener("pointerdown", (event) => { lastSpot = [event.clientX, event.clientY]; }, true);
addEventListener("keydown", (event) => {
  if (!(event.target instanceof Element)) return;
  const box = event.target.getBoundingClientRect();
  lastSpot = [(box.left + box.right) / 2, Math.min(box.bottom, innerHeight / 2)];
}, true);

/** On a phone a message about the board stands below it and its bar, where there is room: beside the finger it would cover what it speaks of. */
function belowBoard(y: number, height: number): number | null {
  const stage = innerWidth <= 800 ? document.querySelector(".stage")?.getBoundingClientRect() : undefined;
  if (!stage || y < stage.top || y > stage.bottom) return null;
  const end = document.querySelector(".sheet:not(.open)")?.getBoundingClientRect().top ?? innerHeight, top = stage.bottom + 8;
  return top + height + 8 <= end ? top : null;
}

function placeMessage(message: HTMLElement): void {
  if (!message.textContent) return;
  const { width, height } = message.getBoundingClientRect(), [x, y] = lastSpot ?? [innerWidth / 2, 0];
  const below = y + 18, left = Math.max(8, Math.min(x - width / 2, innerWidth - width - 8));
  const beside = Math.max(8, below + height + 8 > innerHeight ? y - height - 18 : below);
  message.style.left = `${left}px`;
  message.style.top = `${belowBoard(y, height) ?? beside}px`;
}
addEventListener("DOMContentLoaded", () => {
  const message = document.getElementById("message");
  if (!message) return;
  new MutationObserver(() => placeMessage(message)).observe(message, { childList: true, characterData: true, subtree: true });
});
