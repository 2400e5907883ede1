FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/urmom-bot && /opt/urmom-bot/bin/pip install --no-cache-dir -c constraints.txt '.[openai]'

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 urmom && mkdir /data && chown urmom /data
COPY --from=build /opt/urmom-bot /opt/urmom-bot
USER urmom
ENV PATH=/opt/urmom-bot/bin:$PATH DATA_DIR=/data PYTHONUNBUFFERED=1
# It is healthy while Discord and the database can be reached, and what is written arrives.
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 CMD ["urmom-bot", "health"]
CMD ["urmom-bot", "run"]
