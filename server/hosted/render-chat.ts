import type { VisitorMessage } from '../../core/visitors/visitor-messages.ts';
import type { VisitorState } from '../../core/visitors/visitor-state.ts';
import { type Element, element } from '../pages/element.ts';
import type { Look } from '../widget/look.ts';
import type { ChosenTexts } from '../widget/texts/choose-texts.ts';
import { renderMessage } from './render-message.ts';

export interface ShownChat {
  readonly title: string;
  readonly greeting: string;
  readonly look: Look;
  /** Of the page, for its forms. */
  readonly address: string;
  readonly chosen: ChosenTexts;
  /** Oldest first. */
  readonly messages: readonly VisitorMessage[];
  readonly state: VisitorState | null;
  /** What stands in the field. */
  readonly draft: string;
  /** What went wrong; null where nothing did. */
  readonly notice: string | null;
}

/** The conversation as it works without scripts: what was said, and a form. */
export function renderChat(shown: ShownChat): Element {
  const { chosen, messages, notice } = shown;
  const { texts, language, direction } = chosen;
  const greeting = element('div', { class: 'message assistant greeting' }, [
    element('div', { class: 'body', dir: 'auto' }, [element('p', {}, [shown.greeting])]),
  ]);
  return element('div', { class: 'chat', lang: language, dir: direction }, [
    renderHeader(shown),
    element('div', { class: 'scroller' }, [
      greeting,
      element(
        'ol',
        { class: 'messages' },
        messages.map((message) => renderMessage(message, texts)),
      ),
      ...(messages.length === 0 ? [renderSuggestions(shown)] : []),
      element('span', { id: 'end' }, []),
    ]),
    ...(notice === null
      ? []
      : [element('div', { class: 'notice', role: 'alert' }, [element('span', {}, [notice])])]),
    renderForm(shown),
  ]);
}

function renderHeader({ title, look, chosen: { texts }, state }: ShownChat): Element {
  const withPerson = state?.status === 'person' || state?.status === 'waiting';
  const told =
    state?.status === 'person'
      ? texts.withPerson.replace('{name}', state.agent ?? '')
      : withPerson
        ? texts.waiting
        : texts.machine;
  const logo =
    look.logo_url === undefined
      ? [Array.from(title)[0] ?? '']
      : [element('img', { src: look.logo_url, alt: '', width: '36', height: '36' }, [])];
  return element('header', {}, [
    element('span', { class: 'logo' }, logo),
    element('div', { class: 'who' }, [
      element('h1', { id: 'title' }, [title]),
      element('p', { class: withPerson ? 'status person' : 'status' }, [told]),
    ]),
  ]);
}

function renderSuggestions(shown: ShownChat): Element {
  const { look, address } = shown;
  const items = look.suggestions.map((text) =>
    element('li', {}, [
      element('form', { method: 'post', action: address }, [
        element('button', { type: 'submit', name: 'query', value: text, dir: 'auto' }, [text]),
      ]),
    ]),
  );
  const choice = look.choice_at_start ? [renderChoice(shown)] : [];
  return element('ul', { class: 'suggestions' }, [...choice, ...items]);
}

function renderChoice(shown: ShownChat): Element {
  const { texts } = shown.chosen;
  return element('li', { class: 'choice' }, [
    element('a', { href: '#query' }, [texts.askMachine]),
    renderHuman(shown, ''),
  ]);
}

/** A button that asks for a person. */
function renderHuman({ address, chosen: { texts } }: ShownChat, className: string): Element {
  return element('form', { class: className, method: 'post', action: `${address}#end` }, [
    element('button', { type: 'submit', class: 'human', name: 'human', value: 'yes' }, [texts.human]),
  ]);
}

function renderForm(shown: ShownChat): Element {
  const { address, chosen, state, draft } = shown;
  const { texts, direction } = chosen;
  const withPerson = state?.status === 'person' || state?.status === 'waiting';
  const action = `${address}#end`;
  const field = element(
    'textarea',
    {
      id: 'query',
      name: 'query',
      rows: '2',
      maxlength: '4000',
      required: '',
      dir: draft === '' ? direction : 'auto',
      placeholder: texts.placeholder,
      'aria-label': texts.placeholder,
    },
    [draft],
  );
  const send = element('button', { type: 'submit', class: 'send plain' }, [texts.send]);
  return element('footer', {}, [
    element('form', { class: 'composer', method: 'post', action }, [field, send]),
    ...(withPerson ? [] : [renderHuman(shown, 'below')]),
  ]);
}
