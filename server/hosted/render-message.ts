import type { VisitorMessage } from '../../core/visitors/visitor-messages.ts';
import { type Element, element } from '../pages/element.ts';
import { markdownElements } from '../pages/markdown-elements.ts';
import type { WidgetTexts } from '../widget/texts/widget-texts.ts';

const sourcesShown = 3;

/** One message, for browsers without scripts. */
export function renderMessage(message: VisitorMessage, texts: WidgetTexts): Element {
  const { role, content, author, sources, attachments } = message;
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
    ...(sources.length > 0 ? [renderSources(sources, texts)] : []),
  ]);
}

function renderFiles(files: VisitorMessage['attachments']): Element {
  return element(
    'ul',
    { class: 'sent' },
    files.map(({ name }) => element('li', { dir: 'auto' }, [name ?? '…'])),
  );
}

function renderSources(sources: VisitorMessage['sources'], texts: WidgetTexts): Element {
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
        ? element('a', { class: 'card', href, target: '_blank', rel: 'noopener noreferrer' }, [about])
        : element('div', { class: 'card' }, [about]);
    return element('li', {}, [card]);
  });
  return element('div', { class: 'sources' }, [
    element('span', { class: 'caption' }, [texts.sources]),
    element('ul', {}, cards),
  ]);
}
