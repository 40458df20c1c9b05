import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback: '我在现有文档中没有找到答案。请换一种说法再试，或者要求与人工客服交谈。',
  unsure: '我不太确定，也许是这个：',
  disclosure: {
    machine: '由机器根据我们的帮助页面回答。',
    person: '您可以随时要求与人工客服交谈。',
  },
  missingPart: '对此我在现有文档中没有找到答案。',
  signIn: '为此我需要确认您的身份。请登录后再次提问。',
  skillFailure: '我刚才没能完成这件事。请稍后再试，或者要求与人工客服交谈。',
  channel: {
    greeting: '您好！请随意提问，我来查找答案。如果您想与人工客服交谈，请随时告诉我。',
    help: '请用您自己的话写下问题。我会根据我们的文档回答，并说明答案的出处。如果您想与人工客服交谈，请随时告诉我。',
    unreadable: '我还无法读取图片、录音和文件。请用文字写下您的问题。',
    filesUnread: '我没有看到您附上的内容：我还无法读取图片、录音和文件。',
    mayHelp: '这些内容可能有帮助',
    trouble: '我刚才没能回答。请稍后再试，或者要求与人工客服交谈。',
    unavailable: '我现在无法回答问题。请要求与人工客服交谈。',
    askRating: '您对我们的服务满意吗？请回复 1（差）到 5（非常好）之间的数字。',
    rated: '感谢您的评价。',
  },
  handover: {
    passedOn: '我已将此对话转交给我们的团队。',
    alreadyKnown: '我们的团队已经知道此对话。',
    shortly: '很快会有人在这里为您服务。',
    someTime: '会有人在这里回复您。',
    backOn: ({ day, time, zone }) => `我们的团队将于${day} ${time}（${zone}）恢复服务，并在这里回复您。`,
  },
  lead: {
    askForAll: '请告诉我您的姓名以及电子邮箱或电话号码，以便我们的团队与您联系。',
    askForContact: (name) => `谢谢您，${name}。请告诉我电子邮箱或电话号码，以便我们的团队与您联系。`,
    noted: (details) => `谢谢。我已记下 ${details}，以便我们的团队与您联系。会有人联系您。`,
    requestNoted: '谢谢。我已记下您的请求。我们的团队会通过已有的联系方式与您联系。',
    askForName: '请问您怎么称呼，以便我们的团队知道找谁？',
    nameNoted: (name) => `谢谢您，${name}。我已记下您的姓名，以便我们的团队与您联系。`,
    declined: '好的。我没有记下任何联系方式。',
    nameDeclined: '好的，那就不留姓名。我们的团队会与您联系。',
    gaveUp: '没有电子邮箱或电话号码，我们的团队就无法与您联系。您可以随时再向我提出。',
  },
};
