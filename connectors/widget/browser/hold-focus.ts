/** Leads whoever loses the place that he was at, because it is hidden, switched off or gone, to another one. */
export function holdFocus(area: HTMLElement, lead: () => void): void {
  let place: HTMLElement | null = null;
  area.addEventListener('focusin', ({ target }) => {
    place = target instanceof HTMLElement ? target : null;
  });
  area.addEventListener('focusout', () => {
    // Some browsers tell of what is taken away as of what is left.
    setTimeout(() => {
      if (place !== null && isThere(place) && !place.matches(':focus')) place = null;
    });
  });
  new MutationObserver(() => {
    if (place === null || isThere(place) || area.offsetParent === null) return;
    place = null;
    lead();
  }).observe(area, { subtree: true, childList: true, attributeFilter: ['hidden', 'disabled'] });
}

function isThere(place: HTMLElement): boolean {
  return place.isConnected && place.offsetParent !== null && !place.matches(':disabled');
}
