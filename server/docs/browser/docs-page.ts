interface Hit {
  readonly title: string;
  readonly heading: string | null;
  readonly address: string;
  readonly snippet: readonly { readonly text: string; readonly match: boolean }[];
}

const typingPauseMs = 120;
const minChars = 2;

const form = document.querySelector<HTMLFormElement>('.search');
const field = form?.querySelector('input');
const list = form?.querySelector<HTMLElement>('.hits');
if (form && field && list) suggest(form, field, list);
for (const block of document.querySelectorAll<HTMLElement>('.code')) addCopyButton(block);

/** Shows results below the search field while a reader types. Without this script the form leads to a page of them. */
function suggest(owner: HTMLFormElement, input: HTMLInputElement, hits: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = '';

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(input.value.trim()), typingPauseMs);
  });
  owner.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hits.hidden = true;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = [...hits.querySelectorAll('a')];
    const place = links.findIndex((link) => link.matches(':focus'));
    const next = place + (event.key === 'ArrowDown' ? 1 : -1);
    event.preventDefault();
    if (next < 0) input.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !owner.contains(target)) hits.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const { activeElement } = document;
    const isTyping =
      activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });

  async function update(query: string): Promise<void> {
    latest = query;
    if (query.length < minChars) {
      hits.hidden = true;
      return;
    }
    const url = new URL(owner.action);
    url.pathname += '.json';
    url.search = new URLSearchParams({ q: query }).toString();
    const found = await fetch(url)
      .then((response): Promise<{ results: Hit[] }> => response.json())
      .catch(() => null);
    if (found === null || latest !== query) return;
    hits.replaceChildren(...(found.results.length === 0 ? [nothing(query)] : found.results.map(row)));
    hits.hidden = false;
  }

  function row({ title, heading, address, snippet }: Hit): HTMLElement {
    const link = document.createElement('a');
    link.href = new URL(address, owner.action).href;
    const name = document.createElement('strong');
    name.textContent = heading === null ? title : `${title} › ${heading}`;
    const text = document.createElement('span');
    for (const piece of snippet) {
      const mark = document.createElement('mark');
      mark.textContent = piece.text;
      text.append(piece.match ? mark : piece.text);
    }
    link.append(name, text);
    return link;
  }

  function nothing(query: string): HTMLElement {
    const words = document.createElement('p');
    words.textContent = `Nothing found for “${query}”.`;
    return words;
  }
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  });
  // Browsers hand out the clipboard on https and on this machine only.
  if (navigator.clipboard) block.append(button);
}

export {};
