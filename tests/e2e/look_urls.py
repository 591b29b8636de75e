"""The style guide and a page with a live region, for the browser tests of the look."""

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from scoring.views.styleguide import styleguide

LIVE = """{% extends "base.html" %}{% load static look %}
{% block title %}live{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/poll.js' %}"></script>{% endblock %}
{% block content %}
<div id="region" data-poll="/fragment" data-version="1" data-every="3600">
<details id="more"><summary>more</summary>old</details><input id="find"></div>
{% include "partials/live.html" with live_id="region" %}
{% when recent %} {% when earlier %}{% endblock %}"""


def live(request: HttpRequest) -> HttpResponse:
    """A page whose region polls `/fragment`; the test answers for it."""
    times = {
        "recent": datetime(2026, 11, 29, 6, 5, tzinfo=UTC),
        "earlier": datetime(2026, 11, 29, 4, 5, tzinfo=UTC),
    }
    return HttpResponse(engines["django"].from_string(LIVE).render(times, request))


urlpatterns = [
    path("styleguide/", styleguide),
    path("live/", live),
    path("", include("config.urls")),
]
