import os, sys
from playwright.sync_api import sync_playwright
import pytest
from django.urls import reverse
from django.test import Client
from tests.tournament.registrations import *
from tests.tournament.test_registration_pages import organizer
from tests.tournament.competitions import draw
from tournament.domain.announcements import announce
from tournament.domain.draws import publish_draw
from tournament.enums import Ask
pytestmark = pytest.mark.django_db(transaction=True)

def test_shots(browser, live_server):
    made = taking(6, capacity=7, ask_note=Ask.MAY, ask_mail=Ask.MAY, ask_birth_year=Ask.MAY, consent="我同意主办方公布我的姓名、代表单位和成绩，并在比赛中拍照。", fee="30 元，现场交", closes_at=timezone.now()+timedelta(days=4))
    announce(acting=made.owner, competition=made.competition, values={"title":"比赛改到二楼大厅","text":"请走东门。\n\n九点开始签到。","publish_at":None,"on_screen":True})
    announce(acting=made.owner, competition=made.competition, values={"title":"午饭安排","text":"","publish_at":timezone.now()+timedelta(days=1)})
    made.competition.capacity=7
    registered(made, "覃小明", unit="象山队", phone="13800138000", key="a")
    from tournament.domain.registration import set_registration
    e2 = registered(made, "秦大海", unit="七星队", key="b")
    set_registration(acting=made.owner, competition=made.competition, values={"auto_confirm": False})
    e3 = registered(made, "莫家骏", unit="灵川县", phone="13900139000", note="腿脚不便，想坐靠近门口", key="c")
    set_registration(acting=made.owner, competition=made.competition, values={"auto_confirm": True})
    oc = organizer(made); code=made.competition.code
    for w in (360, 1280):
        ctx = browser.new_context(viewport={"width":w,"height":800}, locale="zh-CN")
        page = ctx.new_page()
        def shot(name):
            page.wait_for_timeout(300)
            page.screenshot(path=f"/tmp/reg/{name}-{w}.png", full_page=True)
            sw = page.evaluate("document.documentElement.scrollWidth")
            if sw != w: print("WIDE", name, w, sw)
        U=live_server.url
        page.goto(U+reverse("register",args=[code])); page.wait_for_timeout(2200); shot("form")
        page.get_by_label("姓名").fill("覃小明"); page.get_by_label("代表单位").fill("象山队")
        page.get_by_role("button",name="报名",exact=True).click(); shot("form-wrong")
        page.get_by_label("我已看过").check(); page.get_by_role("button",name="报名",exact=True).click(); shot("form-twin")
        page.get_by_label("是另一个人",exact=True).check(); page.get_by_role("button",name="报名",exact=True).click(); shot("sent")
        page.goto(U+made.competition.get_absolute_url()); shot("competition")
        page.goto(U+reverse("entrant",args=[code,made.event.entrants.first().pk])); shot("entrant")
        page.goto(U+reverse("link",args=[token_of("a")])); shot("mine")
        page.goto(U+reverse("my_entry_withdraw",args=[code,Entry.objects.get(person__name="覃小明",person__phone="13800138000").pk])); shot("withdraw")
        ctx.clear_cookies()
        ctx.add_cookies([{"name":"sessionid","value":oc.cookies["sessionid"].value,"url":U}])
        for n,a in (("manage_registration",[]),("manage_announcements",[]),("manage_entrants",[]),("manage_entry",[e3.pk])):
            page.goto(U+reverse(n,args=[code,*a])); shot(n)
        ctx.close()
