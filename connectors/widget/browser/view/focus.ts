/** Leads whoever loses the place that he was at, because it is hidden, switched off or gone, to another one. */
export function restoreFocus(area: HTMLElement, lead: () => void): void {
  let place: HTMLElement | null = null;
  area.addEventListener('focusin', ({ target }) => {
    place = target instanceof HTMLElement ? target : null;
  });
  area.addEventListener('focusout', () => {
    // Some browsers tell of what is taken away as of what is left.
    setTimeout(() => {
      if (place !== null && isFocusable(place) && !place.matches(':focus')) place = null;
    });
  });
  new MutationObserver(() => {
    if (place === null || isFocusable(place) || area.offsetParent === null) return;
    place = null;
    lead();
  }).observe(area, { subtree: true, childList: true, attributeFilter: ['hidden', 'disabled'] });
}

function isFocusable(place: HTMLElement): boolean {
  return place.isConnected && place.offsetParent !== null && !place.matches(':disabled');
}

const focusable = 'button:not([disabled]):not([hidden]), a[href], input, textarea, [tabindex="0"]';
/** As the styles of the panel: from this width on it leaves room for the page beside it. */
const wholeScreen = '(max-width: 479px)';

/**
 * Calls `leave` at Escape. While the panel takes the whole screen it is modal, and Tab stays within it; beside the page it
 * is not, and Tab leads on to the page.
 */
export function trapFocus(panel: HTMLElement, leave: () => void): void {
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

/** Tells the styles of `element` how much of the screen a soft keyboard leaves, as `--screen-top` and `--screen-height`. */
export function trackViewport(element: HTMLElement): void {
  const { visualViewport: screen } = window;
  if (screen === null) return;
  const fit = () => {
    // Whoever has drawn nearer wants to see what is large.
    const isWhole = screen.scale <= 1.01;
    element.style.setProperty('--screen-top', isWhole ? `${screen.offsetTop}px` : '');
    element.style.setProperty('--screen-height', isWhole ? `${screen.height}px` : '');
  };
  screen.addEventListener('resize', fit);
  screen.addEventListener('scroll', fit);
}
