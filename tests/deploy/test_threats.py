"""Code, bombs and templates in a question or a paste: a threat of deploy/README.md that strikes no single part."""

import pytest

from bot.messages import Question
from bot.pipeline import answer

PRODUCT = str(7777 * 7777)
CODE_IN_A_QUESTION = (
    "does {{ 7777 * 7777 }} fit on a 3090?",
    "{% for x in range(10**9) %}{{ x }}{% endfor %} 13b qlora",
    "{{ config.__class__.__init__.__globals__['os'].popen('id').read() }} 8b lora",
    "qlora for ${7777*7777} or <%= 7777*7777 %> or #{7777*7777} on a 4090",
    "!!python/object/apply:os.system ['id']\nbase_model: x\nsequence_len: 4096\nadapter: qlora",
    "base_model: &a [*a, *a]\nadapter: lora\nsequence_len: 2048",
    "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nadapter: lora",
    '{"base_model": ' + "[" * 5_000 + "]" * 5_000 + "}",
    "torch.cuda.OutOfMemoryError: " + "(" * 20_000,
)


@pytest.mark.parametrize("text", CODE_IN_A_QUESTION)
def test_code_in_a_question_stays_text(text):
    given = answer(Question(text=text, asked="direct"))
    assert given.error is None
    said = given.reply.model_dump_json()
    assert PRODUCT not in said
    assert "uid=" not in said


@pytest.mark.parametrize("text", CODE_IN_A_QUESTION)
def test_code_in_a_file_stays_text(text):
    given = answer(Question(text="why does it run out of memory?", asked="direct", attachments=(text,)))
    assert given.error is None
    assert PRODUCT not in given.reply.model_dump_json()
