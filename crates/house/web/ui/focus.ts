// The focus does not fall back to the page when what has it goes, or can no longer be pressed.

function canTakeFocus(element: HTMLElement | null | undefined): element is HTMLElement {
  return element !== null && element !== undefined && element !== document.body && element.isConnected && element.checkVisibility() && !element.matches(":disabled");
}

// What the last line was begun with.
let opener: HTMLElement | null = null;

/** A line begins: who leaves it is again at what began it. */
export function noteOpener(): void {
  opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
}

/** What leaves a line goes away: if it has the focus, what began the line has it again, or else a step. */
export function leaveFocus(leaving: Element): void {
  if (!leaving.contains(document.activeElement)) return;
  const steps = [...document.querySelectorAll<HTMLElement>("[data-step='1'], [data-step='-1']")];
  [opener, ...steps].find(canTakeFocus)?.focus({ preventScroll: true });
}

/** Disables the steps that lead nowhere, back or on. One that had the focus and can no longer be pressed gives it to the nearest that can. */
export function disableSteps(canStep: (by: -1 | 1) => boolean): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-step]")], at = buttons.findIndex((button) => button === document.activeElement);
  for (const button of buttons) button.disabled = !canStep(/^(first|-)/.test(button.dataset.step ?? "") ? -1 : 1);
  if (at < 0 || !buttons[at].disabled) return;
  [...buttons.slice(0, at).reverse(), ...buttons.slice(at + 1)].find(canTakeFocus)?.focus({ preventScroll: true });
}
