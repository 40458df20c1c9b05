/** A visitor's question in each language that a workspace can word its text for. */
export const sampleQuestions: Readonly<Record<string, string>> = {
  en: 'Do you deliver on Sundays?',
  de: 'Liefern Sie auch sonntags?',
  es: '¿Entregan los domingos?',
  fr: 'Livrez-vous le dimanche ?',
  it: 'Consegnate anche la domenica?',
  pt: 'Fazem entregas ao domingo?',
  nl: 'Bezorgen jullie ook op zondag?',
  pl: 'Czy dostarczacie w niedziele?',
  tr: 'Pazar günleri teslimat yapıyor musunuz?',
  ar: 'هل توصلون الطلبات يوم الأحد؟',
  ja: '日曜日も配達していますか？',
  zh: '你们周日送货吗？',
};
