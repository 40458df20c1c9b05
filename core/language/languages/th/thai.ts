import type { LanguagePack } from '../../language-pack.ts';

export const thai: LanguagePack = {
  code: 'th',
  name: 'Thai',
  script: /\p{Script=Thai}/u,
  grammar: {
    stopWords: `ใคร อะไร เมื่อไหร่ เมื่อใด ที่ไหน ใด ไหน อย่างไร ยังไง ทำไม เท่าไหร่ เท่าไร กี่ คือ เป็น ที่
    ใน ของ และ ได้ ไหม หรือ มี`,
  },
  texts: {
    fallback: 'ฉันไม่พบคำตอบในเอกสารที่มีอยู่ โปรดลองใช้คำอื่น หรือขอพูดคุยกับเจ้าหน้าที่',
    skillFailure: 'ขณะนี้ยังไม่สามารถทำสิ่งนั้นได้ โปรดลองอีกครั้งในอีกสักครู่ หรือขอพูดคุยกับเจ้าหน้าที่',
  },
};
