import { type Element, element } from '../pages/html.ts';

/** The mark of the product, as the address bar and the list of tabs show it. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="7" fill="#0E6872"/><path d="M9 20.5V11.75A4.75 4.75 0 0 1 13.75 7h1.5a4.75 4.75 0 0 1 0 9.5H13" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><circle cx="18.6" cy="20.2" r="1.6" fill="#79C1C7"/></svg>',
)}`;

/** Before the style sheets and scripts of the page are there, it shows the canvas of the colour scheme. */
export const firstStyle =
  'html{background:#f3f4f6;color-scheme:light dark}@media(prefers-color-scheme:dark){html{background:#111417}}';

/** The frame of the dashboard in the first paint, which waits for no other file. The browser app takes its place. */
export const frameStyle = `${firstStyle}body{margin:0}
html{--first-sheet:#fff;--first-line:#e4e7ea}
html[data-mantine-color-scheme=light]{background:#f3f4f6}
html[data-mantine-color-scheme=dark]{background:#111417;--first-sheet:#191d21;--first-line:#2a2f35}
.first{display:flex;box-sizing:border-box;height:100dvh;padding:8px}
.first-rail{width:208px;padding:10px}
.first-sheet{flex:1;border:1px solid var(--first-line);border-radius:8px;background:var(--first-sheet)}
.first-entry{display:grid;place-items:center;height:100dvh}
@media(max-width:1100px){.first-rail{width:40px}}
@media(max-width:48em){.first{padding:0}.first-rail{display:none}.first-sheet{border:0;border-radius:0}}`;

/** The content of the page until the browser app has loaded: the frame, or the mark on pages without a person. */
export function firstPaint(isEntry: boolean): Element {
  const mark = element('img', { src: icon, alt: '', width: '24', height: '24' }, []);
  const content = isEntry
    ? element('div', { class: 'first-entry' }, [mark])
    : element('div', { class: 'first' }, [
        element('div', { class: 'first-rail' }, [mark]),
        element('div', { class: 'first-sheet' }, []),
      ]);
  return element('div', { id: 'app' }, [content]);
}
