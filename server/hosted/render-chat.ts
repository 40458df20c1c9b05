import { toReadableSource } from '../../core/answering/answer.ts';
import type { VisitorMessage, VisitorState } from '../../core/visitors/visitor-conversation.ts';
import { type Element, element } from '../pages/html.ts';
import { renderMarkdown } from '../pages/markdown.ts';
import type { Look } from '../widget/look.ts';
import type { ChosenTexts } from '../widget/texts/choose-texts.ts';
import type { WidgetTexts } from '../widget/texts/widget-texts.ts';

interface ChatView {
  readonly title: string;
  readonly greeting: string;
  /** Says that a machine answers; null if the workspace does not show it. */
  readonly disclosure: string | null;
  readonly look: Look;
  /** The path of the page, used as the action of its forms. */
  readonly address: string;
  readonly chosen: ChosenTexts;
  /** Oldest first. */
  readonly messages: readonly VisitorMessage[];
  readonly state: VisitorState | null;
  /** The content of the input field. */
  readonly draft: string;
  /** The error message; null if there is none. */
  readonly notice: string | null;
}

/** The only form of the page: every button submits the input field, so that no draft is lost. */
const formId = 'composer';

/** Renders the conversation for browsers without scripts: the messages and a form. */
export function renderChat(view: ChatView): Element {
  const { chosen, messages, notice } = view;
  const { texts, language, direction } = chosen;
  const last = messages.at(-1);
  const withPerson = isWithPerson(view);
  const human = withPerson ? null : () => renderHumanButton(view, 'ask');
  const disclosure =
    view.disclosure === null || withPerson
      ? []
      : [element('p', { class: 'disclosure', dir: 'auto' }, [view.disclosure])];
  const person = withPerson
    ? null
    : () => renderButton({ class: 'person', name: 'human', value: 'yes' }, texts.askPerson);
  const greeting = element('div', { class: 'message assistant greeting' }, [
    element('div', { class: 'body', dir: 'auto' }, [element('p', {}, [view.greeting])]),
  ]);
  return element('div', { class: 'chat', lang: language, dir: direction }, [
    renderHeader(view),
    element('div', { class: 'scroller' }, [
      ...disclosure,
      greeting,
      element(
        'ol',
        { class: 'messages' },
        messages.map((message) =>
          renderMessage(message, { texts, language, human, person: message === last ? person : null }),
        ),
      ),
      ...(messages.length === 0 ? [renderSuggestions(view)] : []),
      ...(withPerson ? [element('noscript', {}, [element('p', { class: 'caption' }, [texts.reload])])] : []),
      ...renderClosing(view),
      element('span', { id: 'end' }, []),
    ]),
    ...(notice === null
      ? []
      : [element('div', { class: 'notice', role: 'alert' }, [element('span', {}, [notice])])]),
    renderForm(view),
  ]);
}

/** The line below a conversation that was closed. The question how it was needs scripts. */
function renderClosing({ state, chosen: { texts } }: ChatView): Element[] {
  if (state?.status !== 'closed') return [];
  const { agent } = state;
  const line = agent === null ? texts.closed : texts.closedBy.replace('{name}', () => agent);
  return [element('div', { class: 'closing' }, [element('p', { class: 'closed' }, [line])])];
}

function isWithPerson({ state }: ChatView): boolean {
  return state?.status === 'person' || state?.status === 'waiting';
}

function renderHeader({ title, look, chosen: { texts }, state }: ChatView): Element {
  const status = state?.status === 'person' || state?.status === 'waiting' ? state.status : 'machine';
  const statusTexts = {
    person: texts.withPerson.replace('{name}', state?.agent ?? ''),
    waiting: texts.waiting,
    machine: texts.machine,
  };
  const logo =
    look.logo_url === undefined
      ? [Array.from(title)[0] ?? '']
      : [element('img', { src: look.logo_url, alt: '', width: '36', height: '36' }, [])];
  return element('div', { class: 'header' }, [
    element('span', { class: 'logo' }, logo),
    element('div', { class: 'who' }, [
      element('h1', { id: 'title' }, [title]),
      element('p', { class: `status ${status}` }, [statusTexts[status]]),
    ]),
  ]);
}

function renderSuggestions(view: ChatView): Element {
  const { look } = view;
  const items = look.suggestions.map((text) =>
    element('li', {}, [renderButton({ name: 'suggestion', value: text, dir: 'auto' }, text)]),
  );
  const choice = look.choice_at_start ? [renderChoice(view)] : [];
  return element('ul', { class: 'suggestions' }, [...choice, ...items]);
}

function renderChoice(view: ChatView): Element {
  const { texts } = view.chosen;
  return element('li', { class: 'choice' }, [
    element('a', { href: '#query' }, [texts.askMachine]),
    renderHumanButton(view, 'human'),
  ]);
}

/** Whether a message has a button for a person, so that the page needs no second one. */
function offersPerson(message: VisitorMessage | undefined): boolean {
  return message?.tier === 'maybe' && !message.isHandover && message.feedback !== 'up';
}

function renderHumanButton({ chosen: { texts } }: ChatView, className: string): Element {
  return renderButton({ class: className, name: 'human', value: 'yes' }, texts.human);
}

function renderButton(attributes: Readonly<Record<string, string>>, text: string): Element {
  return element('button', { type: 'submit', form: formId, formnovalidate: '', ...attributes }, [text]);
}

function renderForm(view: ChatView): Element {
  const { address, chosen, draft } = view;
  const { texts, direction } = chosen;
  const withPerson = isWithPerson(view);
  const placeholder = withPerson ? texts.message : texts.placeholder;
  const field = element(
    'textarea',
    {
      id: 'query',
      name: 'query',
      rows: '2',
      maxlength: '4000',
      required: '',
      dir: draft === '' ? direction : 'auto',
      placeholder,
      'aria-label': placeholder,
    },
    [draft],
  );
  const send = element('button', { type: 'submit', class: 'send plain' }, [texts.send]);
  const form = { id: formId, class: 'composer', method: 'post', action: `${address}#end` };
  return element('div', { class: 'footer' }, [
    element('form', form, [field, send]),
    ...(withPerson || offersPerson(view.messages.at(-1))
      ? []
      : [element('div', { class: 'below' }, [renderHumanButton(view, 'human')])]),
  ]);
}

const maxSources = 3;
const outward = { target: '_blank', rel: 'noopener noreferrer' } as const;

interface MessageParts {
  readonly texts: WidgetTexts;
  readonly language: string;
  /** Renders a button that requests an agent; null if an agent is already involved. */
  readonly human: (() => Element) | null;
  /** The same below an answer that says it is unsure; null also if it is not the last message. */
  readonly person: (() => Element) | null;
}

type NextSteps = Pick<MessageParts, 'texts' | 'person'>;

function renderMessage(message: VisitorMessage, { texts, language, human, person }: MessageParts): Element {
  const { role, content, author, sources, related, attachments, tier } = message;
  const speaker = role === 'user' ? texts.you : (author ?? texts.assistant);
  const name =
    role === 'agent'
      ? element('span', { class: 'author' }, [speaker])
      : element('span', { class: 'hidden' }, [`${speaker}: `]);
  const body = role === 'user' ? [content] : renderMarkdown(content);
  if (tier === 'maybe') {
    return element('li', { class: `message ${role} maybe` }, [
      name,
      element('div', { class: 'unsure' }, [
        element('div', { class: 'body', dir: 'auto' }, withHeading(body, message)),
        ...renderOrigins(sources, { texts, language }),
      ]),
      ...(message.isHandover ? [] : [renderNextSteps(message, { texts, person })]),
    ]);
  }
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

/** Asks whether an answer helped that says it is unsure. */
function renderNextSteps({ id, feedback }: VisitorMessage, { texts, person }: NextSteps): Element {
  if (feedback === 'up')
    return element('p', { class: 'helped', role: 'status' }, [`${texts.thatHelped}. ${texts.thanks}`]);
  return element('div', { class: 'steps' }, [
    renderButton({ name: 'helped', value: id }, texts.thatHelped),
    ...(person === null ? [] : [person()]),
  ]);
}

/** Puts the headings of the section after the first paragraph. Several questions have their own in the text. */
function withHeading<Node>(
  body: readonly Node[],
  { content, sources }: VisitorMessage,
): readonly (Node | Element)[] {
  const path = sources[0]?.headings ?? [];
  if (path.length === 0 || content.startsWith('**')) return body;
  return [...body.slice(0, 1), element('p', { class: 'heading' }, [path.join(' › ')]), ...body.slice(1)];
}

/**
 * The sources of an answer, each in one line with the date of its document: the day itself, because the server does not
 * know which day it is where the visitor is.
 */
function renderOrigins(
  sources: VisitorMessage['sources'],
  { texts, language }: Pick<MessageParts, 'texts' | 'language'>,
): readonly Element[] {
  const distinct = [...new Map(sources.map((source) => [source.documentId, source])).values()];
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return distinct.slice(0, maxSources).map(({ title, url, changedAt }) => {
    const href = webAddress(url)?.href;
    const name = element('span', { dir: 'auto' }, [title]);
    const from =
      href === undefined
        ? element('span', { class: 'from' }, [name])
        : element('a', { ...outward, class: 'from', href }, [name]);
    if (changedAt === null) return element('div', { class: 'origin' }, [from]);
    const when = texts.changed.replace('{when}', () => format.format(changedAt));
    const time = element('time', { datetime: changedAt.toISOString() }, [when]);
    return element('div', { class: 'origin' }, [from, time]);
  });
}

function webAddress(url: string | null): URL | null {
  const address = url === null ? null : URL.parse(url);
  return address !== null && /^https?:$/.test(address.protocol) ? address : null;
}

function renderFiles(files: VisitorMessage['attachments']): Element {
  return element(
    'ul',
    { class: 'sent' },
    files.map(({ name, url }) => {
      if (url === undefined) return element('li', { dir: 'auto' }, [name ?? '…']);
      const link = element('a', { ...outward, class: 'file', href: url }, [
        element('span', { class: 'name', dir: 'auto' }, [name ?? '…']),
      ]);
      return element('li', {}, [link]);
    }),
  );
}

function renderSources(
  caption: string,
  sources: VisitorMessage['sources'],
  below: readonly Element[] = [],
): Element {
  const distinct = [...new Map(sources.map((source) => [source.documentId, source])).values()];
  const cards = distinct
    .slice(0, maxSources)
    .map(toReadableSource)
    .map(({ title, url, chunk }) => {
      const address = webAddress(url);
      const href = address?.href ?? null;
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
