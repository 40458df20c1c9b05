/** Tells the styles of `element` how much of the screen a soft keyboard leaves, as `--screen-top` and `--screen-height`. */
export function fitScreen(element: HTMLElement): void {
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
