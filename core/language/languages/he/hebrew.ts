import type { LanguagePack } from '../../language-pack.ts';

export const hebrew: LanguagePack = {
  code: 'he',
  name: 'Hebrew',
  script: /\p{Script=Hebrew}/u,
  texts: {
    fallback: 'לא מצאתי לכך תשובה במסמכים שברשותי. נסו במילים אחרות, או בקשו לדבר עם נציג.',
    disclosure: {
      machine: 'מכונה עונה כאן מתוך דפי העזרה שלנו.',
      person: 'אפשר לבקש נציג בכל עת.',
    },
    skillFailure: 'לא הצלחתי לעשות זאת כרגע. נסו שוב בעוד רגע, או בקשו לדבר עם נציג.',
  },
};
