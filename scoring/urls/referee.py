"""Addresses of referee's pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
