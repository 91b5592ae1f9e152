// Steps by the wheel and by swipes over an element.

/** Steps on (1) or back (-1). True if there was something to step to; at the ends the page scrolls. */
export type Step = (by: number) => boolean;

// A notch is a step, and so is a stroke over a touch pad.
function onWheel(element: HTMLElement, step: Step): void {
  let turned = 0;
  element.addEventListener("wheel", (event) => {
    if (event.ctrlKey) return;
    const by = Math.sign(event.deltaY), isLines = event.deltaMode !== 0;
    turned = Math.sign(turned) === by ? turned + event.deltaY : event.deltaY;
    if (!isLines && Math.abs(turned) < 40) {
      event.preventDefault();
      return;
    }
    turned = 0;
    if (step(by)) event.preventDefault();
  }, { passive: false });
}

/** The click that follows a swipe is no move, nor one that ends a choice. */
export function swallowClick(): void {
  const forget = () => removeEventListener("click", swallow, { capture: true });
  function swallow(click: Event): void {
    // One that a script makes is meant.
    if (!click.isTrusted) return;
    click.stopPropagation();
    click.preventDefault();
    forget();
  }
  addEventListener("click", swallow, { capture: true });
  setTimeout(forget, 300);
}

/** Is the page enlarged by two fingers? Then one finger moves what is seen, and nothing else. */
const isZoomed = (): boolean => (visualViewport?.scale ?? 1) > 1.05;
// Style sheets leave boards to the finger then.
visualViewport?.addEventListener("resize", () => document.documentElement.classList.toggle("zoomed", isZoomed()));

export function onSwipe(element: HTMLElement, step: (by: number) => void): void {
  let begun: PointerEvent | null = null;
  element.addEventListener("pointerdown", (event) => {
    begun = event.pointerType === "touch" && event.isPrimary && !isZoomed() ? event : null;
  });
  element.addEventListener("pointerup", (event) => {
    if (!begun || event.pointerId !== begun.pointerId) return;
    const [x, y] = [event.clientX - begun.clientX, event.clientY - begun.clientY];
    begun = null;
    if (Math.abs(x) <= 40 || Math.abs(x) <= 2 * Math.abs(y)) return;
    swallowClick();
    step(x < 0 ? 1 : -1);
  });
}

export function onTurns(element: HTMLElement, step: Step): void {
  onWheel(element, step);
  onSwipe(element, step);
}
