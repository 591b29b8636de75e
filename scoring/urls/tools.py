"""Addresses of the tools that need no account."""

from django.urls import path

from scoring.views.tools.calculator import calculator
from scoring.views.tools.record_check import record_check

urlpatterns = [
    path("tools/hu/", calculator, name="calculator"),
    path("tools/record/", record_check, name="record_check"),
]
