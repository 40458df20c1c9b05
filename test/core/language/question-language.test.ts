import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../../core/language/language.ts';

describe('detectLanguage', () => {
  it.each([
    ['en', 'english', 'How do I cancel my order?'],
    ['en', 'english', 'reset password'],
    ['de', 'latin', 'Wie kann ich meine Bestellung stornieren?'],
    ['de', 'latin', 'Öffnungszeiten'],
    ['es', 'latin', '¿y para Portugal?'],
    ['fr', 'latin', 'Comment annuler ma commande ?'],
    ['it', 'latin', 'Come posso annullare il mio ordine?'],
    ['pt', 'latin', 'Como posso cancelar meu pedido?'],
    ['nl', 'latin', 'Hoe kan ik mijn bestelling annuleren?'],
    ['pl', 'latin', 'Jak mogę anulować zamówienie?'],
    ['sv', 'latin', 'Hur avbokar jag min beställning?'],
    ['tr', 'latin', 'Siparişimi nasıl iptal edebilirim?'],
    ['ro', 'latin', 'Cum îmi pot anula comanda?'],
    ['vi', 'latin', 'Làm sao để hủy đơn hàng của tôi?'],
    ['ru', 'other', 'Как отменить мой заказ?'],
    ['ar', 'other', 'كيف ألغي طلبي؟'],
    ['el', 'other', 'Πώς ακυρώνω την παραγγελία μου;'],
    ['hi', 'other', 'मैं अपना ऑर्डर कैसे रद्द करूँ?'],
    ['zh', 'other', '怎么取消我的订单？'],
    ['ja', 'other', '注文をキャンセルできますか？'],
    ['ko', 'other', '주문을 취소할 수 있나요?'],
    ['th', 'other', 'ฉันจะยกเลิกคำสั่งซื้อได้อย่างไร'],
  ])('detects %s', (code, languageClass, text) => {
    expect(detectLanguage(text)).toEqual({ code, class: languageClass });
  });

  it('uses the script with more content in a mixed text', () => {
    expect(detectLanguage('Meadowlark Pro 什么时候发货？').code).toBe('zh');
    expect(detectLanguage('What does the word 你好 mean when a customer writes it?').code).toBe('en');
  });

  it('treats text without letters as English', () => {
    expect(detectLanguage('??? 42')).toEqual({ code: 'und', class: 'english' });
  });
});
