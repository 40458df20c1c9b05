/** Calls `restore` if the focused element is hidden, disabled or removed. */
export function restoreFocus(area: HTMLElement, restore: () => void): void {
  let place: HTMLElement | null = null;
  area.addEventListener('focusin', ({ target }) => {
    place = target instanceof HTMLElement ? target : null;
  });
  area.addEventListener('focusout', () => {
    // Some browsers fire focusout also for an element that is removed.
    setTimeout(() => {
      if (place !== null && isFocusable(place) && !place.matches(':focus')) place = null;
    });
  });
  new MutationObserver(() => {
    if (place === null || isFocusable(place) || area.offsetParent === null) return;
    place = null;
    restore();
  }).observe(area, { subtree: true, childList: true, attributeFilter: ['hidden', 'disabled'] });
}

function isFocusable(place: HTMLElement): boolean {
  return place.isConnected && place.offsetParent !== null && !place.matches(':disabled');
}

const focusable = 'button:not([disabled]):not([hidden]), a[href], input, textarea, [tabindex="0"]';
/** As in chat.css: from this width on, the panel leaves room for the page beside it. */
const wholeScreen = '(max-width: 479px)';

/**
 * Calls `leave` on Escape. While the panel covers the whole screen it is modal, and Tab stays within it. Beside the
 * page it is not modal, and Tab moves on to the page.
 */
export function trapFocus(panel: HTMLElement, leave: () => void): void {
  const screen = matchMedia(wholeScreen);
  const updateModal = () => panel.setAttribute('aria-modal', String(screen.matches));
  screen.addEventListener('change', updateModal);
  updateModal();
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

/** Sets `--screen-top` and `--screen-height` to the area that a soft keyboard leaves visible. */
export function trackViewport(element: HTMLElement): void {
  const { visualViewport: screen } = window;
  if (screen === null) return;
  const fit = () => {
    // After zooming in, the visual viewport is smaller on purpose.
    const isWhole = screen.scale <= 1.01;
    element.style.setProperty('--screen-top', isWhole ? `${screen.offsetTop}px` : '');
    element.style.setProperty('--screen-height', isWhole ? `${screen.height}px` : '');
  };
  screen.addEventListener('resize', fit);
  screen.addEventListener('scroll', fit);
}
