"""Addresses of public's pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
