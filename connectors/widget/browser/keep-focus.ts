const focusable = 'button:not([disabled]):not([hidden]), a[href], input, textarea, [tabindex="0"]';

/** Keeps the focus within `panel` while it is open, and calls `leave` at Escape. */
export function keepFocus(panel: HTMLElement, leave: () => void): void {
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.stopPropagation();
      leave();
    }
    if (event.key !== 'Tab') return;
    const places = [...panel.querySelectorAll<HTMLElement>(focusable)].filter(
      (place) => place.offsetParent !== null,
    );
    const root = panel.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : document.activeElement;
    const [first, last] = [places[0], places.at(-1)];
    const leaves = event.shiftKey ? active === first : active === last;
    if (!leaves) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  });
}
