/** Moves the focus to the views: in the rail, or above the list if there is no rail. */
export function focusViews(): void {
  const views = [...document.querySelectorAll<HTMLElement>('[data-views]')].find(
    (each) => each.getClientRects().length > 0,
  );
  const current = views?.querySelector<HTMLElement>('[aria-current]') ?? views?.querySelector('a');
  current?.focus();
}
