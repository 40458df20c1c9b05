import type { VisitorMessage } from '../../core/visitors/visitor-messages.ts';
import { type Element, element } from '../pages/element.ts';
import { markdownElements } from '../pages/markdown-elements.ts';
import type { WidgetTexts } from '../widget/texts/widget-texts.ts';

const sourcesShown = 3;
const outward = { target: '_blank', rel: 'noopener noreferrer' } as const;

interface MessageParts {
  readonly texts: WidgetTexts;
  /** A button that asks for a person; null if one was asked for already. */
  readonly human: (() => Element) | null;
}

/** One message, for browsers without scripts. */
export function renderMessage(message: VisitorMessage, { texts, human }: MessageParts): Element {
  const { role, content, author, sources, related, attachments } = message;
  const speaker = role === 'user' ? texts.you : (author ?? texts.assistant);
  const name =
    role === 'agent'
      ? element('span', { class: 'author' }, [speaker])
      : element('span', { class: 'hidden' }, [`${speaker}: `]);
  const body = role === 'user' ? [content] : markdownElements(content);
  return element('li', { class: `message ${role}` }, [
    name,
    ...(content === '' ? [] : [element('div', { class: 'body', dir: 'auto' }, body)]),
    ...(attachments.length > 0 ? [renderFiles(attachments)] : []),
    ...(message.isCut ? [element('p', { class: 'cut' }, [texts.cut])] : []),
    ...(sources.length > 0 ? [renderSources(texts.sources, sources)] : []),
    ...(related.length > 0
      ? [renderSources(texts.related, related, message.isHandover || human === null ? [] : [human()])]
      : []),
  ]);
}

function renderFiles(files: VisitorMessage['attachments']): Element {
  return element(
    'ul',
    { class: 'sent' },
    files.map(({ name }) => element('li', { dir: 'auto' }, [name ?? '…'])),
  );
}

function renderSources(
  caption: string,
  sources: VisitorMessage['sources'],
  below: readonly Element[] = [],
): Element {
  const distinct = [...new Map(sources.map((source) => [source.documentId, source])).values()];
  const cards = distinct.slice(0, sourcesShown).map(({ title, url, chunk }) => {
    const address = url === null ? null : URL.parse(url);
    const href = address !== null && /^https?:$/.test(address.protocol) ? address.href : null;
    const place = address?.hostname.replace(/^www\./, '') ?? '';
    const about = element('span', { class: 'about' }, [
      element('span', { class: 'name', dir: 'auto' }, [title]),
      ...(href === null ? [] : [element('span', { class: 'place', dir: 'ltr' }, [place])]),
      element('span', { class: 'snippet', dir: 'auto' }, [chunk]),
    ]);
    const card =
      href !== null
        ? element('a', { ...outward, class: 'card', href, 'aria-label': `${title}, ${place}` }, [about])
        : element('div', { class: 'card' }, [about]);
    return element('li', {}, [card]);
  });
  return element('div', { class: below.length > 0 ? 'sources related' : 'sources' }, [
    element('span', { class: 'caption' }, [caption]),
    element('ul', {}, cards),
    ...below,
  ]);
}
