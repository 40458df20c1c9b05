import { describe, expect, it } from 'vitest';
import { indexTokens } from '../../../../core/knowledge/indexing/postings.ts';
import { analyseQuestion } from '../../../../core/knowledge/ranking/analyse-question.ts';

function shared(question: string, passage: string): readonly string[] {
  const indexed = new Set(indexTokens(passage));
  return analyseQuestion(question).terms.filter((term) => indexed.has(term));
}

describe('indexTokens', () => {
  it('returns the same tokens every time', () => {
    const text = 'The workshop repairs Größe 40 boots. 発送は三日かかります。';
    expect(indexTokens(text)).toEqual(indexTokens(text));
  });

  it('keeps repeats, so that frequencies can be counted', () => {
    expect(
      indexTokens('A rake is a rake and stays a rake.').filter((token) => token === 'rake'),
    ).toHaveLength(3);
  });

  it('stems English words and omits stop words', () => {
    expect(indexTokens('The gardeners were watering the hedges.')).toEqual(['garden', 'water', 'hedg']);
  });

  it('returns at most one token per English word', () => {
    const text =
      'Our wooden greenhouses are delivered flat and can be assembled by two people within one afternoon.';
    expect(indexTokens(text).length).toBeLessThan(text.split(' ').length);
  });

  it.each([
    'Mail opening.hours@shop.example, please.',
    'See (https://shop.example/opening-hours?from=menu).',
    '店铺请见www.shop.example/opening/hours。',
    'Schreiben Sie an: Opening-Hours@Shop.Example!',
  ])('reads an address as one token and not as words: %s', (text) => {
    const tokens = indexTokens(text);
    expect(tokens.filter((token) => token.includes('shop.example'))).toHaveLength(1);
    expect(shared('What are the opening hours of the shop?', text)).toEqual([]);
  });

  it('finds an address that the question names, in every reading', () => {
    for (const text of ['Who reads help@shop.example?', 'Wer liest die Nachrichten an help@shop.example?'])
      expect(shared(text, 'Mila reads what you send to Help@Shop.example.')).toContain('help@shop.example');
  });

  it('reads a number with separators as one token', () => {
    expect(indexTokens('The deposit of 1,250.50 euros is returned.')).toContain('1,250.50');
  });

  it.each([
    [
      'German',
      'Wie lange ist die Kündigungsfrist?',
      'Der Vertrag ist mit einer Kündigungsfrist von vier Wochen kündbar.',
    ],
    [
      'Spanish',
      '¿Cuándo llegan los pedidos?',
      'Todo pedido llega a la dirección indicada en tres días laborables.',
    ],
    ['Russian', 'Как вернуть товар?', 'Возврат товара возможен в течение двух недель после покупки.'],
    ['Arabic', 'متى يصل الطلب؟', 'يصل طلبك خلال ثلاثة أيام عمل من تاريخ الشراء.'],
    ['Greek', 'Πότε φτάνει η παραγγελία;', 'Οι παραγγελίες φτάνουν σε τρεις εργάσιμες ημέρες.'],
    ['Turkish', 'Siparişim ne zaman gelir?', 'Siparişler üç iş günü içinde adresinize gelir.'],
    ['Hindi', 'ऑर्डर कब आएगा?', 'आपका ऑर्डर तीन दिनों में आएगा और आपको सूचना मिलेगी।'],
    ['Vietnamese', 'Khi nào đơn hàng đến?', 'Đơn hàng của bạn sẽ đến trong vòng ba ngày làm việc.'],
    ['Chinese', '订单什么时候到？', '您的订单将在三个工作日内送达。'],
    ['Japanese', '注文はいつ届きますか？', 'ご注文の商品は三日以内に届きます。'],
    ['Thai', 'คำสั่งซื้อจะมาถึงเมื่อไหร่', 'คำสั่งซื้อของคุณจะมาถึงภายในสามวันทำการ'],
    ['Korean', '주문은 언제 도착하나요?', '고객님의 주문은 사흘 안에 도착합니다.'],
  ])('returns shared tokens for a %s question and its passage', (_, question, passage) => {
    expect(shared(question, passage).length).toBeGreaterThan(0);
  });

  it('finds an inflected German word by its parts', () => {
    expect(
      shared(
        'Welche Versandkosten fallen an?',
        'Der Versand ist ab fünfzig Euro frei, darunter kostet er vier.',
      ),
    ).toContain('sand');
  });

  it('ignores diacritics that writers omit', () => {
    expect(
      shared('Wo sehe ich die Größe der Jacke?', 'In welcher Grösse gibt es die Jacken und Mäntel?'),
    ).toContain('gros');
  });

  it('keeps Vietnamese diacritics, which distinguish words', () => {
    expect(indexTokens('Chính sách đổi trả hàng được áp dụng trong bảy ngày.')).toContain('hàng');
  });

  it('finds a name of an English question in a German passage', () => {
    const passage = 'Die Anbindung an Meadowlark ist in jedem Tarif enthalten und wird von uns eingerichtet.';
    expect(shared('Which plans include the Meadowlark integration?', passage)).toContain('mead');
  });

  it('finds an English word in a German passage if the question is too short to detect its language', () => {
    const passage = 'Der Newsletter erscheint einmal im Monat und kann jederzeit abbestellt werden.';
    expect(shared('newsletter', passage)).toContain('news');
  });

  it('finds English words in a Chinese passage', () => {
    expect(
      shared('Does it support Bluetooth headphones?', '这款音箱支持 Bluetooth 连接，电池可使用十小时。'),
    ).toContain('bluetooth');
  });

  it('accepts text without words', () => {
    expect(indexTokens('!!! ... 🙂')).toEqual([]);
    expect(indexTokens('')).toEqual([]);
  });
});
