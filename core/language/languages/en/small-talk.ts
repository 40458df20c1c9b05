import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
    greeting:
      'hiya|heya|howdy|greetings|sup|welcome|good {morning,afternoon,evening,day}|morning|evening|nice to meet you|{is,} {anyone,anybody,someone} {there,here}|are you there|test|testing',
    wellBeing:
      'how are you {doing,feeling,}|how are things|hows it going|how is it going|how do you do|whats up|hows your day|how is your day|how r u|{i,} hope {youre,you are,all is} well|hows everything',
    thanks:
      'ty|tysm|cheers|{many,} thanks|thank u|thanks so much|thank you so much|much appreciated|i appreciate {it,that,your help}|that {helped,helps}|that was {very,really,} helpful|very helpful|no {,more} questions|you {helped,really helped,have helped,have really helped} {me,us,}|{youve,you have} been {very,so,really,} {helpful,kind}',
    praise:
      '{thats,that is,this is,its,it is,} {great,perfect,awesome,excellent,amazing,wonderful,brilliant,fantastic,nice,lovely,very good,really good}|well done|good {job,bot,answer,one}|great {job,answer,bot,stuff}|i love {it,you,this}|you rock|{you are,youre} {great,awesome,the best,amazing,very helpful,so helpful}|it {works,worked}|that {worked,works}',
    goodbye:
      'goodbye|good-bye|good bye|see {you,ya} {later,soon,around,tomorrow,}|cya|farewell|take care|have a {nice,good,great,lovely} {day,one,evening,weekend,week}|good night|thats all {for now,for today,}|that is all {for now,for today,}|thats it|talk to you later|ttyl|catch you later|{that,this} {will,would} be all|nothing more|until next time',
    okay: 'yeah|yup|ya|sure|sure thing|fine|alright|all right|right|got it|i see|understood|i understand|makes sense|of course|absolutely|exactly|correct|thats right|no problem|np|no worries|okay then|sounds good|will do|good to know|maybe|good|i will try {it,that,}|ill try {it,that,}|sorry|my bad',
    no: 'nah|not really|not now|no need|never mind|nevermind|nvm|forget it|nothing|nothing else',
    bot: '{are,r} {you,u} {a,an,} {bot,chatbot,robot,machine,computer,ai,human,person,real,real person,real human,automated,chatgpt,gpt,human or a bot,bot or a human,robot or a human,human or a robot,robot or human,human or robot,bot or human,human or bot,real or a bot,human being}|am i {talking,speaking,chatting} {to,with} a {bot,robot,machine,human,person,real person,computer,real human}|is this {a,an,} {bot,chatbot,robot,ai,human,person,real person,automated}|who are you|what are you|whats your name|what is your name|do you have a name|who am i {talking,speaking} {to,with}|who is this|{you are,youre} a {bot,robot,machine}|who {made,built,created,programmed} you|what is this',
    abilities:
      'help|help me|{i need,need} {help,some help,your help,assistance}|can you help {me,} {with something,}|could you help {me,}|what can you {do,do for me,help with,help me with,answer,tell me}|what do you {do,know}|how can you help {me,}|what {can,should} i ask {you,}|what can i {do,say} here|i have a question|i have some questions|i have a few questions|i have a problem|can i ask {you,} {a question,something,a few questions}|question|what questions can i ask|menu|start|tell me about yourself|how do you work|what else can you {do,help with,tell me}|what can {this,the} {bot,chat,assistant} do',
    upset:
      'you suck|this sucks|{this,that,it,you} {is,are} {so,really,totally,completely,absolutely,just,} {useless,stupid,ridiculous,terrible,awful,horrible,rubbish,garbage,crap,a joke,nonsense,bullshit,annoying,frustrating,dumb,pathetic,a waste of time,unacceptable,outrageous,bad}|{thats,its,youre,your} {so,really,totally,completely,absolutely,just,} {useless,stupid,ridiculous,terrible,awful,horrible,rubbish,garbage,crap,a joke,nonsense,bullshit,annoying,frustrating,dumb,pathetic,a waste of time,unacceptable,an idiot,bad}|you are an idiot|stupid {bot,machine,thing,ai,}|dumb {bot,}|useless {bot,}|idiot|moron|shut up|fuck|fuck you|fuck off|fuck this|shit|bullshit|damn|damn it|asshole|go to hell|i hate {you,this,it}|{thats,that is,this is,its,youre,you are} {wrong,not right,not true,incorrect,not correct,false,not helpful,not it}|wrong {answer,}|incorrect|{this,that,it} {doesnt,does not,didnt,did not,isnt,is not,wasnt,was not} {help,help me,helping,helpful,help at all,helping me,answer my question,what i asked,what i meant,right,true,correct}|not helpful|no help {at all,}|{thats,that is} not {what i asked,what i meant,my question,what i want,an answer,good enough}|not what i asked {for,}|you {dont,do not,didnt,did not} {understand,get it,understand me,answer my question,help,listen,help me,know anything}|you are not {helping,listening,helpful}|youre not {helping,listening,helpful}|i {already,just} {said,told you} {that,}|{im,i am} {so,really,very,} {angry,frustrated,annoyed,upset,mad,furious,fed up,disappointed}|are you {kidding,joking,stupid,serious} {me,}|{worst,terrible,bad,horrible,awful} {service,bot,support,answer,experience,customer service} {ever,}|thanks for nothing|what a {joke,mess,waste of time}|this is getting nowhere|come on|seriously|give me a break|ugh|argh|grr|{this,the,your} {bot,chat,chatbot,assistant,thing} {is,sucks} {so,really,totally,completely,absolutely,just,} {useless,stupid,ridiculous,terrible,awful,horrible,rubbish,garbage,crap,dumb,bad,}|not what i {meant,wanted,was asking,need}|{thats,that is,this is} not what {i,} {wanted,was asking,need,needed}|{im,i am} {so,really,very,just,} confused|{this,that} makes no sense',
    filler:
      'there|again|everyone|everybody|all|guys|team|folks|sir|madam|mate|man|buddy|dude|dear|friend|well|so much|very much|a lot|so far|for {your,the,all your} {help,time,answer,answers,info,information,patience,reply,quick reply}|for {that,helping,helping me,answering}|really|very|just|now|today|then|actually|anyway|and|you too|to you|and you|you stupid bot|at all|so|for now',
  },
  replies: {
    greeting: 'Hello, and welcome to {name}. What would you like to know?',
    wellBeing: 'I am doing well, thank you for asking. What can I do for you?',
    thanks: 'You are welcome. If anything else comes up, just ask.',
    praise: 'I am glad to hear that. If anything else comes up, just ask.',
    goodbye: 'Goodbye, and all the best from {name}.',
    okay: 'All right. What else would you like to know?',
    no: 'All right. If anything else comes up, just ask.',
    bot: 'I am the automated assistant of {name}, not a human being. I answer questions from its documents.',
    abilities:
      'I am the automated assistant of {name}: I answer questions from its documents and name the source. Just write your question in your own words.',
    upset:
      'I am sorry that this is not going well. If you tell me in other words what you need, I will look again.',
    topics: 'You can ask me, for example, about: {topics}.',
    person: 'Would you like me to bring in a person from the team?',
  },
};
