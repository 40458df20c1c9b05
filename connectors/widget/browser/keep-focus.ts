const focusable = 'button:not([disabled]):not([hidden]), a[href], input, textarea, [tabindex="0"]';
/** As the styles of the panel: from this width on it leaves room for the page beside it. */
const wholeScreen = '(max-width: 479px)';

/**
 * Calls `leave` at Escape. While the panel takes the whole screen it is modal, and Tab stays within it; beside the page it
 * is not, and Tab leads on to the page.
 */
export function keepFocus(panel: HTMLElement, leave: () => void): void {
  const screen = matchMedia(wholeScreen);
  const tell = () => panel.setAttribute('aria-modal', String(screen.matches));
  screen.addEventListener('change', tell);
  tell();
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.stopPropagation();
      leave();
    }
    if (event.key !== 'Tab' || !screen.matches) return;
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
