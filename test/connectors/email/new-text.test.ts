import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlToText } from '../../../core/contract/mail/html-to-text.ts';
import { stripQuotes } from '../../../core/contract/mail/strip-quotes.ts';
import { quotedReplies } from '../../fixtures/email/quoted-replies.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

const reply = { isReply: true, isForward: false };
const first = { isReply: false, isForward: false };

describe('a reply is reduced to what its sender wrote', () => {
  test.each(quotedReplies.map((each) => [each.program, each.language, each] as const))(
    '%s (%s)',
    (_program, _language, { text, said }) => {
      expect(stripQuotes(text, reply)).toBe(said);
      expect(stripQuotes(text.replaceAll('\n', '\r\n'), reply)).toBe(said);
    },
  );

  test('includes many programs in more than six languages', () => {
    expect(new Set(quotedReplies.map(({ language }) => language)).size).toBeGreaterThan(10);
    expect(quotedReplies.length).toBeGreaterThan(100);
  });
});

describe('text that is not a quotation stays', () => {
  const sentences = [
    'Yesterday I wrote to you: nothing happened.',
    'In her mail of 3 May my wife wrote you a list of plants. It had: roses, lemons.',
    'From: the garden\nI have a question.',
    'My order\nDate: 3 May\nPlants: three lemon trees',
    'Ich habe Ihnen am 3. Mai um 10:15 geschrieben und keine Antwort bekommen. Warum?',
    'Sent from my garden with love, three roses came back.\nWhat now?\nCan I return them?\nAll three?\nPlease?\nAnna',
    'Prices: a -- b\nand more',
  ];
  test.each(sentences)('%s', (text) => {
    expect(stripQuotes(text, reply)).toBe(text);
    expect(stripQuotes(text, first)).toBe(text);
  });

  test('a first mail keeps its quotations', () => {
    const text = 'Your page says:\n> We are open on weekdays.\nIs that so?';
    expect(stripQuotes(text, first)).toBe(text);
  });

  test('forwarded content stays', () => {
    const passed =
      'Can you help her?\n\n---------- Forwarded message ---------\nFrom: Eva <eva@x.example>\nDate: Fri, May 3, 2024\nSubject: Lemons\nTo: Anna <anna@lind.example>\n\nMy lemons are blue.';
    expect(stripQuotes(passed, { isReply: true, isForward: true })).toBe(passed);
    expect(stripQuotes(passed, reply)).toBe(passed);
  });

  test('a mail of which nothing would be left stays whole', () => {
    expect(stripQuotes('> All of it is quoted.', reply)).toBe('> All of it is quoted.');
    expect(stripQuotes('-- \nAnna', reply)).toBe('--\nAnna');
    expect(stripQuotes('', reply)).toBe('');
  });

  test('ends for every input', async () => {
    const piece = fc.constantFrom(
      '> ',
      '\n',
      'On 3 May 2024 ',
      'wrote:',
      'From: a',
      'To: b',
      'Subject: c',
      '-- ',
      '_____',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const said = stripQuotes(pieces.join(''), reply);
        expect(said).toBe(said.trim());
        expect(said === '').toBe(pieces.join('').trim() === '');
      }),
    );
    const long = `${'a'.repeat(50_000)}@\n${'On 1 '.repeat(20_000)}\n${'> \n'.repeat(20_000)}`;
    expect(await processorMs(() => stripQuotes(long, reply))).toBeLessThan(2_000);
  });
});

describe('HTML is read as it is displayed', () => {
  const gmail = (text: string) =>
    `<div dir="ltr">${text}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Fri, May 3, 2024 at 10:15 AM Garden Shop &lt;<a href="mailto:help@shop.example">help@shop.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0"><p>We are open on weekdays.</p></blockquote></div>`;
  const outlook =
    '<html><head><style>p {margin: 0}</style></head><body><div class="WordSection1"><p class="MsoNormal">And on Saturday?<o:p></o:p></p><p>&nbsp;</p><div><div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>Von:</b> Garden Shop &lt;help@shop.example&gt; <br><b>Gesendet:</b> Freitag, 3. Mai 2024 10:15<br><b>An:</b> Anna<br><b>Betreff:</b> AW: Hours</p></div></div><p>We are open.</p></div></body></html>';
  const outlookWeb =
    '<div>And on Saturday?</div><div id="appendonsend"></div><hr style="width:98%"><div id="divRplyFwdMsg"><font><b>From:</b> Garden Shop &lt;help@shop.example&gt;<br><b>Sent:</b> Friday, May 3, 2024 10:15 AM<br><b>To:</b> Anna<br><b>Subject:</b> Re: Hours</font></div><div>We are open.</div>';
  const apple =
    '<html><body><div>And on Saturday?</div><div><br><blockquote type="cite"><div>On 3 May 2024, at 10:15, Garden Shop &lt;help@shop.example&gt; wrote:</div><br><div>We are open.</div></blockquote></div></body></html>';
  const thunderbird =
    '<p>And on Saturday?</p><div class="moz-cite-prefix">Am 03.05.24 um 10:15 schrieb Garden Shop:<br></div><blockquote type="cite" cite="mid:x">We are open.</blockquote>';
  const yahoo =
    '<div>And on Saturday?</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Friday, May 3, 2024 at 10:15:31 AM GMT+2, Garden Shop &lt;help@shop.example&gt; wrote:</div><div><br></div><div>We are open.</div></div>';
  const proton =
    '<div>And on Saturday?</div><div class="protonmail_quote">On Friday, May 3rd, 2024 at 10:15 AM, Garden Shop &lt;help@shop.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">We are open.</blockquote></div>';

  test.each([
    ['Gmail', gmail('And on Saturday?')],
    ['Outlook', outlook],
    ['Outlook on the web', outlookWeb],
    ['Apple Mail', apple],
    ['Thunderbird', thunderbird],
    ['Yahoo', yahoo],
    ['Proton', proton],
  ])('%s', (_program, html) => {
    expect(stripQuotes(htmlToText(html), reply)).toBe('And on Saturday?');
  });

  test('keeps paragraphs, lists, links and tables, and drops invisible content', () => {
    const html =
      '<style>a{}</style><h1>Order</h1><p>See <a href="https://shop.example/1">my order</a> &amp; tell me.</p><ul><li>one</li><li>two</li></ul><table><tr><td>Lemon</td><td>3</td></tr></table><img src="cid:logo" alt="logo"><script>x()</script>';
    const text = htmlToText(html);
    for (const word of [
      'Order',
      'my order',
      'https://shop.example/1',
      '& tell me',
      '- one',
      '- two',
      'Lemon',
      '3',
    ])
      expect(text).toContain(word);
    for (const word of ['logo', 'x()', 'a{}']) expect(text).not.toContain(word);
  });
});
