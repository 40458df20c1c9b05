import { describe, expect, test } from 'vitest';
import { loadHtml } from '../../../../../core/knowledge/loaders/html/load-html.ts';
import { parseHtml } from '../../../../../core/knowledge/loaders/html/parse-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../../../core/knowledge/loaders/loader.ts';
import { keepMainContent } from '../../../../../core/sources/website/main-content.ts';

const load = (html: string): readonly string[] =>
  loadHtml(html, DEFAULT_LOADING_LIMITS).blocks.map(({ headings, text }) => [...headings, text].join(' > '));

/** Loads the file, and the page that the website source keeps of it. */
const both = (body: string) => {
  const page = `<html><head><title>T</title></head><body><main><h1>T</h1><p>Before.</p>${body}</main></body></html>`;
  const [direct, kept] = [load(page), load(keepMainContent(parseHtml(page)).html)];
  expect(kept).toEqual(direct);
  return direct.slice(1);
};

const answer = '<p>Within 30 days.</p>';

describe('what a visitor opens with a click', () => {
  test.each([
    [
      'an accordion of Bootstrap',
      `<h2><button data-bs-toggle="collapse" data-bs-target="#c" aria-expanded="false">Returns</button></h2><div id="c" class="collapse" aria-hidden="true">${answer}</div>`,
    ],
    [
      'a toggle of Elementor',
      `<div role="button" id="t" aria-controls="c" aria-expanded="false"><a>Returns</a></div><div id="c" role="region" aria-labelledby="t" style="display: none">${answer}</div>`,
    ],
    ['a button before a hidden part', `<button>Returns</button><div hidden>${answer}</div>`],
    ['a heading before a hidden part', `<h3>Returns</h3><div style="display:none">${answer}</div>`],
    [
      'an expander whose control is wrapped',
      `<div class="expand-control"><span aria-expanded="false">Returns</span></div><div aria-hidden="true">${answer}</div>`,
    ],
    ['details', `<details><summary>Returns</summary>${answer}</details>`],
    [
      'a button that only a script and a style know',
      `<button class="accordion">Returns</button><div class="panel">${answer}</div>`,
    ],
    [
      'a tab that its panel names',
      `<div role="tablist"><button role="tab" id="t">Returns</button></div><div role="tabpanel" aria-labelledby="t" hidden>${answer}</div>`,
    ],
    [
      'a dialog that a button of the content opens',
      `<button data-modal="#m">Returns</button><div id="m" class="modal" role="dialog" hidden><p>You can send it back within 30 days.</p></div>`,
    ],
  ])('%s is kept under its label', (_, html) => {
    const text = html.includes('dialog') ? 'You can send it back within 30 days.' : 'Within 30 days.';
    expect(both(html)).toEqual([`Returns > ${text}`]);
  });

  test.each([
    [
      'Docusaurus',
      `<ul role="tablist"><li role="tab">Debian</li><li role="tab">macOS</li></ul><div><div role="tabpanel">One.</div><div role="tabpanel" hidden>Two.</div></div>`,
    ],
    [
      'MkDocs',
      `<div class="tabbed-set"><input type="radio" id="a"><input type="radio" id="b"><div class="tabbed-labels"><label for="a">Debian</label><label for="b">macOS</label></div><div class="tabbed-content"><div class="tabbed-block">One.</div><div class="tabbed-block">Two.</div></div></div>`,
    ],
    [
      'a theme with links',
      `<div class="tab-titles"><a href="#a" data-toggle="tab">Debian</a><a href="#b" data-toggle="tab">macOS</a></div><div id="a" class="tab-pane">One.</div><div id="b" class="tab-pane" style="display:none">Two.</div>`,
    ],
  ])('every tab of %s has its own label', (_, html) => {
    expect(both(html)).toEqual(['Debian > One.', 'macOS > Two.']);
  });

  test('text after a panel does not stand under its label', () => {
    const html = `<button aria-controls="c">Returns</button><div id="c" hidden>${answer}</div><p>After.</p>`;
    expect(both(html)).toEqual(['Returns > Within 30 days.', 'After.']);
  });

  test('hidden prose of the content is kept also where no control is known', () => {
    const prose = 'We come back on the next working day, and leave a card in your letter box.';
    expect(both(`<div hidden>${prose}</div>`)).toEqual([prose]);
    expect(load(`<p>Before.</p><div hidden>${prose}</div>`)).toEqual(['Before.']);
  });
});

describe('what stays closed', () => {
  const sentence = 'We and our 42 partners use this to offer you the best possible experience here.';

  test.each([
    ['a cookie banner', `<div id="cookie-consent" hidden>${sentence}</div>`],
    ['a dialog without a control', `<div role="dialog" hidden>${sentence}</div>`],
    [
      'a dialog with a form',
      `<button aria-controls="d">Write</button><div id="d" role="dialog" hidden>${sentence}<input></div>`,
    ],
    [
      'a menu',
      '<button aria-controls="m" aria-expanded="false">Menu</button><div id="m" hidden><a href="/a">One thing</a> <a href="/b">Other thing</a></div>',
    ],
    [
      'a list of languages',
      `<button aria-controls="l">English</button><ul id="l" class="language-list" hidden><li>Deutsch</li></ul>`,
    ],
    ['a message of a form', `<div role="alert" hidden>${sentence}</div>`],
    ['a short label', '<span hidden>secret</span>'],
    [
      'buttons that only change a picture',
      '<button aria-controls="p">Yellow</button><div id="p"><img></div>',
    ],
    ['decoration', `<span aria-hidden="true">${sentence}</span>`],
  ])('%s', (_, html) => {
    expect(both(html)).toEqual([]);
  });

  test('5,000 panels that name each other are read in time', () => {
    const parts = Array.from(
      { length: 5_000 },
      (_, place) =>
        `<button aria-controls="p${place + 1}">Q${place}</button><div id="p${place}" hidden>A${place}.</div>`,
    );
    expect(both(parts.join('')).length).toBeGreaterThan(4_000);
  });
});

describe('pictures and headers of the content', () => {
  test('the text of a picture is kept, that of an icon, a file name and a copy of the caption is not', () => {
    expect(
      both(`<img alt="Wires of the red terminal"><img alt="Logo"><img alt="IMG 20 of 31.jpg">
<figure><img alt="Red wires"><figcaption>Red wires</figcaption></figure>`),
    ).toEqual(['Wires of the red terminal', 'Red wires']);
  });

  test('a picture that is a cell says its value', () => {
    expect(both('<table><tr><th>Plan<th>Support<tr><td>Oak<td><img alt="yes"></table>')).toEqual([
      'Plan: Oak; Support: yes',
    ]);
  });

  test('a header with the title of a page is content, one with a menu is not', () => {
    expect(load('<header><h1>Trips</h1><p>For all of us.</p></header><div>Text.</div>')).toEqual([
      'For all of us.',
      'Text.',
    ]);
    expect(load('<header><h1>Shop</h1><nav>Menu</nav></header><div>Text.</div>')).toEqual(['Text.']);
  });
});
